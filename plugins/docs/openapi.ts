import { verbOf, type Method, type MountedRoute } from '../../kernel/index.ts'
import { createComponents, type Components } from './components.ts'
import type { OpenApiDocument, Operation, OperationMethod, PathItem } from './document.ts'
import { sharedRefusals } from './refused.ts'
import { parametersOf, requestBodyOf, toTemplate } from './request.ts'
import { responsesOf } from './responses.ts'
import { gateName, securityOf, securitySchemes } from './security.ts'
import { isPublished } from './surface.ts'
import { tagsOf } from './tags.ts'

/** The version that the description of the API carries, apart from the release of the package. */
export const apiVersion = '0.11.1'

const description = [
  'Lets people change the content of a website by typed operations: see the draft, undo, compare, publish.',
  'Bodies are JSON in UTF-8. Paths are case-sensitive, have no trailing slash and carry no version.',
  'Every GET also answers HEAD. What a request says beyond its schema is ignored, and a query parameter is given once.',
  'Every refusal has one form: `code` is the verdict for programs, `reason` the sentence for people.',
].join('\n\n')

const methods: Readonly<Record<Method, OperationMethod>> = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' }

/**
 * Describes the routes of a service as an OpenAPI 3.1 document.
 *
 * Left out are routes that are internal or that the service does not mount. The same routes give the same document.
 */
export function openApiDocument(routes: readonly MountedRoute[], { version }: { readonly version: string }): OpenApiDocument {
  const published = routes.filter(isPublished)
  const components = createComponents()
  const ids = operationIds(published)
  const toPathItem = (group: readonly MountedRoute[]): PathItem =>
    Object.fromEntries(group.map((route) => [methods[route.spec.method], toOperation(route, ids.get(route) ?? route.key, components)]))
  const paths = [...Map.groupBy(published, ({ spec }) => toTemplate(spec.path))].map(([path, group]) => [path, toPathItem(group)] as const)
  const responses = sharedRefusals(published.map(({ spec }) => spec), components)
  return {
    openapi: '3.1.0',
    info: { title: 'content-orchestrator', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: tagsOf(published),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: securitySchemes(published.map(({ spec }) => gateName(spec.gate.id))),
      responses,
      schemas: components.all(),
    },
  }
}

function toOperation({ tag, spec }: MountedRoute, operationId: string, components: Components): Operation {
  const gate = gateName(spec.gate.id)
  const parameters = parametersOf(spec, components)
  const requestBody = requestBodyOf(spec, components)
  return {
    operationId,
    summary: spec.summary,
    tags: [tag],
    security: securityOf(gate),
    'x-gate': gate,
    ...(gate !== 'public' && { 'x-can': verbOf(spec) }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(spec, components),
  }
}

/** A name for every route in camelCase, such as `historyUndo`; the later of two equal ones is numbered. */
function operationIds(routes: readonly MountedRoute[]): ReadonlyMap<MountedRoute, string> {
  const taken = new Set<string>()
  return new Map(routes.map((route) => {
    const base = toCamelCase(`${route.plugin} ${route.key}`)
    let id = base
    for (let count = 2; taken.has(id); count++) id = `${base}${count}`
    taken.add(id)
    return [route, id]
  }))
}

function toCamelCase(text: string): string {
  const [first = 'route', ...rest] = text.match(/[A-Za-z0-9]+/g) ?? []
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
