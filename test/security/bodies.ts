import type { MountedRoute } from '../../kernel/index.ts'
import { createComponents, exampleOf } from '../../plugins/docs/testing.ts'
import { routesOf } from '../surface/shapes.ts'

/** A route that reads a JSON body, with a valid example of one. */
export interface BodyRoute {
  /** Method and path. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** Limits of the body: its bytes, and the values in it. */
  readonly limit: number
  readonly values: number
  readonly example: Readonly<Record<string, unknown>>
  /** Whether it also accepts a form. */
  readonly takesForm: boolean
}

const components = await createComponents()
/** Fields without a derivable example. */
const known = { commit: '0123456789abcdef' }

/** Every route of a standalone server without configuration. */
export const allRoutes = (await routesOf('standalone')).filter(({ leftOut }) => leftOut === undefined)

/** Whether a route answers with an event stream. */
export const isStream = ({ spec }: MountedRoute): boolean =>
  Object.values(spec.replies).some((reply) => 'reply' in reply && reply.reply === 'events')

/** Those that read a JSON body; new routes are included automatically. */
export const bodyRoutes: readonly BodyRoute[] = allRoutes.flatMap(({ spec }) => {
  if (!spec.body) return []
  const name = `${spec.method} ${spec.path}`
  const example = exampleOf(components.describe(spec.body, 'input'), components.resolve)
  if (typeof example !== 'object' || example === null) throw new Error(`${name} has no example`)
  const asked = Object.entries(known).filter(([field]) => field in example)
  return [
    {
      name,
      method: spec.method,
      path: spec.path,
      limit: (spec.upload ? undefined : spec.maxBytes) ?? 1024 * 1024,
      values: spec.maxValues ?? 100_000,
      example: { ...example, ...Object.fromEntries(asked) },
      takesForm: spec.upload !== undefined,
    },
  ]
})

/** The example of a route that takes a body. */
export function exampleFor(method: string, path: string): BodyRoute['example'] | undefined {
  return bodyRoutes.find((route) => route.method === method && route.path === path)?.example
}
