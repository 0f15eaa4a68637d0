const client = (target, httpClient) => ({
  input: 'generated/service-3.1.json',
  output: { target: `generated/${target}.ts`, client: httpClient, baseUrl: { getBaseUrlFromSpecification: true } },
});
module.exports = { fetch: client('orval-fetch', 'fetch'), axios: client('orval-axios', 'axios-functions') };
