import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The server that SACHET_BASE_URL and SACHET_ADMIN_KEY name, or one that this run starts. */
public record SachetServer(String url, String adminKey, Runnable stop) implements AutoCloseable {
  static SachetServer findOrStart() {
    var url = System.getenv("SACHET_BASE_URL");
    return url == null ? start() : new SachetServer(url, System.getenv("SACHET_ADMIN_KEY"), () -> {});
  }

  private static SachetServer start() {
    var command = System.getenv().getOrDefault("SACHET_COMMAND", "npx --no -- sachet").split(" ");
    var words = new ArrayList<>(List.of(command));
    words.addAll(List.of("--json", "--port", "0", "--log", "off"));
    try {
      var process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      var line = process.inputReader().readLine();
      if (line == null) throw new IllegalStateException(String.join(" ", words) + " did not start");
      var ready = Http.JSON.readTree(line);
      // npx does not forward signals, so the server is stopped by its own process id.
      var server = ProcessHandle.of(ready.get("pid").asLong()).orElseThrow();
      return new SachetServer(ready.get("url").asText(), ready.get("admin_key").asText(), server::destroy);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  JsonNode control(String method, String path, Object body) {
    var response = Http.send(method, url + "/_admin/sandboxes" + path, adminKey, body);
    if (response.status() >= 400) throw new IllegalStateException(method + " " + path + ": " + response.body());
    return response.body();
  }

  @Override
  public void close() {
    stop.run();
  }
}
