import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fails. Maven runs it only by its name. */
@ExtendWith(SachetExtension.class)
class RefusedCall {
  @Test
  void sendsNoToken(Sandbox sandbox) {
    assertEquals(200, Http.send("GET", sandbox.baseUrl() + "/v2/products", null, null).status());
  }
}
