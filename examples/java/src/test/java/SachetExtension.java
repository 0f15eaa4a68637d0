import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts one server for the run and creates one sandbox for each test. A failed test prints the calls of its sandbox. */
public final class SachetExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(SachetExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Sandbox.class && test.getTestMethod().isPresent();
  }

  @Override
  public Sandbox resolveParameter(ParameterContext parameter, ExtensionContext test) {
    // JUnit closes what a store holds: the sandbox after its test, the server after the run.
    var server = test.getRoot().getStore(NAMESPACE)
        .getOrComputeIfAbsent("server", key -> SachetServer.findOrStart(), SachetServer.class);
    return test.getStore(NAMESPACE).getOrComputeIfAbsent("sandbox", key -> create(server), Sandbox.class);
  }

  private static Sandbox create(SachetServer server) {
    var created = server.control("POST", "", Map.of());
    var login = created.at("/logins/0");
    return new Sandbox(server, created.get("name").asText(), created.get("base_url").asText(),
        login.get("username").asText(), login.get("password").asText());
  }

  /** Not a TestWatcher: JUnit calls that one after it has closed the sandbox. */
  @Override
  public void afterEach(ExtensionContext test) {
    var sandbox = test.getStore(NAMESPACE).get("sandbox", Sandbox.class);
    if (sandbox != null && test.getExecutionException().isPresent()) System.err.println(sandbox.describeCalls());
  }
}
