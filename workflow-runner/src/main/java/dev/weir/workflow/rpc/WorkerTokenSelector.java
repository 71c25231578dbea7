package dev.weir.workflow.rpc;

import java.util.Collection;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenSelector;
import org.jspecify.annotations.Nullable;

/**
 * Selects a worker's token by its kind alone: it is valid for every ApplicationMaster of the
 * session, at any address.
 */
public final class WorkerTokenSelector implements TokenSelector<WorkerTokenIdentifier> {

  @Override
  @SuppressWarnings("unchecked") // The kind says the type.
  public @Nullable Token<WorkerTokenIdentifier> selectToken(
      Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
    for (Token<? extends TokenIdentifier> token : tokens) {
      if (WorkerTokenIdentifier.KIND.equals(token.getKind())) {
        return (Token<WorkerTokenIdentifier>) token;
      }
    }
    return null;
  }
}
