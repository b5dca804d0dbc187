/** Shows the contract, in the colours that the system asks for. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

/**
 * Swagger UI types examples into the fields of "try it". Where a field may be left out that is a
 * trap: a key of everybody's gives everybody the same game, and an old tag refuses every move.
 */
function mention(parameter) {
  const { schema } = parameter;
  const example = parameter.example ?? schema?.example;
  if (parameter.required || example === undefined) return;
  parameter.description += ` Such as \`${example}\`.`;
  delete parameter.example;
  if (schema) delete schema.example;
}

/** Swagger UI shows an answer when it has ended, which a stream does after minutes. */
const TRIES = {
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor: (allowed) => (state, path, method) =>
          !path.endsWith("/stream") && allowed(state, path, method),
      },
    },
  },
};

/** Every parameter of a contract, shared ones and those of one operation. */
function parametersOf({ components, paths }) {
  const operations = Object.values(paths).flatMap((path) => [path, ...Object.values(path)]);
  const own = operations.flatMap((operation) => operation.parameters ?? []);
  return [...Object.values(components.parameters ?? {}), ...own];
}

async function show() {
  const answer = await fetch("/openapi.json");
  const contract = await answer.json();
  parametersOf(contract).forEach(mention);
  SwaggerUIBundle({
    spec: contract,
    dom_id: "#docs",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    queryConfigEnabled: false,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [TRIES],
    layout: "BaseLayout",
  });
}

paint();
dark.addEventListener("change", paint);
show();
