/** Shows an OpenAPI document by Swagger UI, which sends requests with the credentials typed once. */

const root = document.getElementById('reference');
const form = document.querySelector('.access');
const { document: address, publicUrl, base, tryOut, words } = root.dataset;

const TOKEN_PATH = '/seguros/auth/token';

/** A token is renewed so long before it ends, s. */
const RENEWED_BEFORE_SECONDS = 60;

const loadDocument = async () => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const text = await response.text();
  // On a page opened at another address of the service, such as localhost, requests go there.
  return JSON.parse(text.replaceAll(publicUrl, () => `${location.origin}${base}`));
};

/** Removes what Swagger UI has for credentials: the form of this page takes its place. */
const hideTheirForms = () => ({
  components: { AuthorizeBtnContainer: () => null, authorizeOperationBtn: () => null },
});

/** Without it, browsers ask for a name and a password themselves when an answer is 401. */
const NO_PROMPT = 'omit';

/** @throws Error with a text for people, if the service refuses the credentials */
const requestToken = async (tokenUrl, fields) => {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    credentials: NO_PROMPT,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', ...fields }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.response ?? `HTTP ${response.status}`);
  return answer;
};

/** The credentials typed last; the token endpoints take them in place of those of their examples. */
let credentials = {};

/** Returns what changes each request before Swagger UI sends it. */
const prepareRequests = (spec) => {
  const { examples } = spec.paths[TOKEN_PATH].post.requestBody.content['application/json'];
  const shown = examples.json.value;
  const authUrl = `${spec.servers[0].url}${TOKEN_PATH.replace(/token$/, '')}`;
  return (request) => {
    request.credentials = NO_PROMPT;
    if (request.url.startsWith(authUrl) && typeof request.body === 'string')
      for (const [name, typed] of Object.entries(credentials))
        request.body = request.body.replaceAll(shown[name], () => typed);
    return request;
  };
};

const startForm = (ui, spec) => {
  const status = form.querySelector('[role="status"]');
  const schema = spec.components.securitySchemes.oauth;
  const { tokenUrl, scopes } = schema.flows.clientCredentials;
  const scope = Object.keys(scopes).join(' ');
  let renewal;

  const authorize = async (fields) => {
    clearTimeout(renewal);
    try {
      const token = await requestToken(tokenUrl, { ...fields, scope });
      credentials = fields;
      ui.authActions.authorizeOauth2({ auth: { name: 'oauth', schema }, token });
      const wait = Math.max(token.expires_in - RENEWED_BEFORE_SECONDS, 1);
      renewal = setTimeout(authorize, wait * 1_000, fields);
      status.textContent = form.dataset.done;
    } catch ({ message }) {
      // Swagger UI cannot forget a token that it has never had.
      if (credentials.client_id !== undefined) ui.authActions.logout(['oauth']);
      credentials = {};
      status.textContent = `${form.dataset.failed} ${message}`;
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    authorize(Object.fromEntries(new FormData(form)));
  });
  form.hidden = false;
};

try {
  const [{ translateLabels }, spec] = await Promise.all([import(words), loadDocument()]);
  root.replaceChildren();
  const ui = globalThis.SwaggerUIBundle({
    spec,
    domNode: root,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    plugins: [translateLabels, hideTheirForms],
    requestInterceptor: prepareRequests(spec),
    ...(tryOut === 'off' && { supportedSubmitMethods: [] }),
  });
  if (form !== null) startForm(ui, spec);
} catch (error) {
  root.textContent = `O documento ${address} não pôde ser carregado (${error.message}).`;
}
