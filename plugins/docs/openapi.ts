import { type Method, type MountedRoute, permissionOf } from '../../kernel/index.ts'
import { type Components, createComponents, toName, uniqueNames } from './components.ts'
import type { Operation, OperationMethod, Tag } from './document.ts'
import { sharedRefusals } from './refusal-responses.ts'
import { parametersOf, refusesMore, requestBodyOf, toTemplate } from './request.ts'
import { callersOf, gateName, responsesOf, securityOf, securitySchemes } from './responses.ts'

/** The version of the API description, independent of the release of the package. */
export const apiVersion = '0.11.1'

const description = [
  'Changes the content of a website by typed operations: see the draft, undo, compare, publish.',
  'Bodies are JSON in UTF-8. Paths are case-sensitive, have no trailing slash and carry no version.',
  'Every GET also answers HEAD. Fields beyond the schema of a request are ignored, unless the operation says that they are ' +
    'refused, and a query parameter is given once.',
  'Every refusal has one form: `code` is the verdict for programs, `reason` the sentence for people.',
  'Internal routes, on which clients should not depend, are left out; ' +
    '`content-orchestrator routes` lists them as well.',
].join('\n\n')

const methods: Readonly<Record<Method, OperationMethod>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
}

export type OpenApiDocument = Awaited<ReturnType<typeof openApiDocument>>

/**
 * Describes the routes of a service as an OpenAPI 3.1 document.
 *
 * Omits internal and unmounted routes. The result is deterministic. `server` is the path below which the service
 * is mounted, by default the root.
 */
export async function openApiDocument(
  routes: readonly MountedRoute[],
  { version, server = '/' }: { readonly version: string; readonly server?: string | undefined },
) {
  const unique = uniqueNames()
  const named = (route: MountedRoute): NamedRoute => ({ ...route, operationId: unique(operationName(route)) })
  const published = routes.filter(isPublished).map(named)
  const components = await createComponents()
  const toPathItem = (group: readonly NamedRoute[]): Readonly<Partial<Record<OperationMethod, Operation>>> =>
    Object.fromEntries(group.map((route) => [methods[route.spec.method], toOperation(route, components)]))
  const paths = [...Map.groupBy(published, ({ spec }) => toTemplate(spec.path))].map(
    ([path, group]) => [path, toPathItem(group)] as const,
  )
  const responses = sharedRefusals(
    published.map(({ spec }) => spec),
    components,
  )
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'content-orchestrator',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: tagsOf(published),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: securitySchemes(published.map(({ spec }) => gateName(spec.gate.id))),
      responses,
      schemas: components.all(),
    },
  }
}

type NamedRoute = MountedRoute & Pick<Operation, 'operationId'>

function toOperation({ tag, spec, operationId }: NamedRoute, components: Components): Operation {
  const gate = gateName(spec.gate.id)
  const parameters = parametersOf(spec, components)
  const requestBody = requestBodyOf(spec, components)
  return {
    operationId,
    summary: spec.summary,
    description:
      callersOf(gate, permissionOf(spec)) +
      (refusesMore(spec, components) ? ' Unknown fields are refused.' : ''),
    tags: [tag],
    security: securityOf(gate),
    'x-gate': gate,
    ...(gate !== 'public' && { 'x-can': permissionOf(spec) }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(spec, components),
  }
}

/** Names a route in camelCase, such as `historyUndo`. */
function operationName({ plugin, key }: MountedRoute): string {
  const name = toName(`${plugin} ${key}`, 'Route')
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** True for mounted routes that clients may use. */
export const isPublished = ({ spec, leftOut }: MountedRoute): boolean =>
  leftOut === undefined && !spec.internal

/** The groups of the interface in order; declared even if all routes of a group are left out. */
const tags: readonly Tag[] = [
  { name: 'Sites', description: 'The websites that this service knows.' },
  { name: 'Chat', description: 'Plans typed edits from messages in plain language.' },
  { name: 'Sites Agent', description: 'Runs that build or change a complete site.' },
  { name: 'Draft', description: 'The content being edited, before anyone else sees it.' },
  {
    name: 'Publish',
    description: 'Compares the draft with what is published, publishes it and reports the result.',
  },
  { name: 'History', description: 'Undo and redo of the changes of a draft.' },
  {
    name: 'Auth',
    description: 'Reports which credentials are required, and exchanges a password for a token.',
  },
  { name: 'Media', description: 'Images and attachments: uploads, generation, search.' },
  { name: 'Health', description: 'Whether the service runs, its configuration and its features.' },
  { name: 'Operations', description: 'Typed edits, applied directly.' },
  { name: 'Checks', description: 'Finds problems of a draft before it is published.' },
  { name: 'Restore', description: 'Brings back content as it was published earlier.' },
  { name: 'Sessions', description: 'The editing sessions of a site and the state each is in.' },
  { name: 'Preview', description: 'Screenshots of pages as a visitor would see them.' },
  { name: 'Telemetry', description: 'Measurements of the service, and feedback of its users.' },
  { name: 'Agent', description: 'Runs of an agent that edits drafts, and the tools that agents may use.' },
  { name: 'Jira', description: 'Content changes that begin as a ticket.' },
]

/** Returns the groups of the interface, then those used only by in-house plugins. */
function tagsOf(routes: readonly { readonly plugin: string; readonly tag: string }[]): readonly Tag[] {
  const names = new Set(tags.map(({ name }) => name))
  const plugins = Map.groupBy(
    routes.filter(({ tag }) => !names.has(tag)),
    ({ tag }) => tag,
  )
  const own = [...plugins].map(([name, group]) => ({
    name,
    description: `Routes of ${list(new Set(group.map(({ plugin }) => plugin)))}.`,
  }))
  return [...tags, ...own]
}

const list = (plugins: ReadonlySet<string>): string =>
  `the ${plugins.size === 1 ? 'plugin' : 'plugins'} ${[...plugins].join(', ')}`
