import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Map;

/** The base URL and login for the client; the control API for the test. */
public record Sandbox(SachetServer server, String name, String baseUrl, String username, String password)
    implements AutoCloseable {
  private static final int MAX_PRINTED_CALLS = 20;

  /** Calls the control API of this sandbox. */
  public JsonNode control(String method, String path, Object body) {
    return server.control(method, "/" + name + "/" + path, body);
  }

  /** Counts the requests that the sandbox received. */
  public int received(Map<String, Object> match) {
    return control("POST", "requests/verify", Map.of("match", match)).get("count").asInt();
  }

  /** A line for each of the last calls, with the reason of each refused one. */
  String describeCalls() {
    var calls = control("GET", "requests", null).get("requests");
    var lines = new ArrayList<String>();
    for (var call : calls) {
      var status = call.get("status");
      var isRefused = status.isNull() || status.asInt() >= 400;
      var reason = isRefused ? call.at("/decision/sentence").asText() : "";
      lines.add("  %s %s %s %s".formatted(call.get("method").asText(), call.get("path").asText(), status, reason).stripTrailing());
    }
    var last = lines.subList(Math.max(0, lines.size() - MAX_PRINTED_CALLS), lines.size());
    return "The last %d of %d calls of the sandbox %s:\n%s".formatted(last.size(), lines.size(), name, String.join("\n", last));
  }

  @Override
  public void close() {
    server.control("DELETE", "/" + name, null);
  }
}
