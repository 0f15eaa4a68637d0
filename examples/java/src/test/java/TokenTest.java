import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SachetExtension.class)
class TokenTest {
  @Test
  void refreshesAnExpiredTokenOnce(Sandbox sandbox) {
    var client = new ServiceClient(sandbox.baseUrl(), sandbox.username(), sandbox.password());
    var products = client.products();

    sandbox.control("PATCH", "switches", Map.of("token_expiry", Map.of("expire_issued", true)));

    assertEquals(products, client.products());
    assertEquals(1, sandbox.received(Map.of("operation", "products.list", "status", 401)));
    assertEquals(1, sandbox.received(Map.of("operation", "authentication.refresh", "status", 200)));
    assertEquals(1, sandbox.received(Map.of("operation", "authentication.token")));
  }
}
