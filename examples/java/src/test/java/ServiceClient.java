import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** A small client that refreshes its token. Replace it with yours. */
final class ServiceClient {
  private final String baseUrl;
  private final String refreshToken;
  private String accessToken;

  ServiceClient(String baseUrl, String username, String password) {
    this.baseUrl = baseUrl;
    var tokens = post("/v2/authentication/token", Map.of("username", username, "password", password));
    accessToken = tokens.get("access_token").asText();
    refreshToken = tokens.get("refresh_token").asText();
  }

  JsonNode products() {
    var response = Http.send("GET", baseUrl + "/v2/products", accessToken, null);
    if (response.status() == 401) {
      accessToken = post("/v2/authentication/refresh-token", Map.of("refresh_token", refreshToken)).get("access_token").asText();
      response = Http.send("GET", baseUrl + "/v2/products", accessToken, null);
    }
    return requireSuccess(response).get("client_products");
  }

  private JsonNode post(String path, Object body) {
    return requireSuccess(Http.send("POST", baseUrl + path, null, body));
  }

  private static JsonNode requireSuccess(Http.Response response) {
    if (response.status() >= 400) throw new IllegalStateException(response.status() + ": " + response.body());
    return response.body();
  }
}
