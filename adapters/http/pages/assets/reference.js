/** Shows an OpenAPI document by Swagger UI. */

const root = document.getElementById('reference');
const { document: address, publicUrl, base, tryOut } = root.dataset;

try {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const text = await response.text();
  // Whoever opens the page at another address of the service, such as localhost, sends requests there.
  const spec = JSON.parse(text.replaceAll(publicUrl, () => `${location.origin}${base}`));
  root.replaceChildren();
  globalThis.SwaggerUIBundle({
    spec,
    domNode: root,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    ...(tryOut === 'off' && { supportedSubmitMethods: [] }),
  });
} catch (error) {
  root.textContent = `O documento ${address} não pôde ser carregado (${error.message}).`;
}
