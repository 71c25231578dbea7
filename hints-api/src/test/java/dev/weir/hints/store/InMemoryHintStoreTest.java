package dev.weir.hints.store;

class InMemoryHintStoreTest extends HintStoreContract {
  private final InMemoryHintStore store = new InMemoryHintStore(clock);

  @Override
  HintStore open(String role) {
    return role.isEmpty() ? store : store.withRole(role);
  }
}
