import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** The base URL and login for the client; the control API for the test. */
public record Sandbox(SachetServer server, String name, String baseUrl, String username, String password)
    implements AutoCloseable {
  /** Calls the control API of this sandbox. */
  public JsonNode control(String method, String path, Object body) {
    return server.control(method, "/" + name + "/" + path, body);
  }

  /** Counts the requests that the sandbox received. */
  public int received(Map<String, Object> match) {
    return control("POST", "requests/verify", Map.of("match", match)).get("count").asInt();
  }

  @Override
  public void close() {
    server.control("DELETE", "/" + name, null);
  }
}
