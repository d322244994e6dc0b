import type { Environment } from './env.ts'
import { publicOrchestratorAddress } from './orchestrator-address.ts'
import { toOrigin } from './values.ts'

/** The origin of an editor that was started on this machine without a port of its own. */
const localEditor = 'http://localhost:4100'

/**
 * The origins of the editors of a site: the `given` ones, else those of EDITOR_CORS_ORIGINS and NEXT_PUBLIC_EDITOR_ORIGIN.
 *
 * Outside production there is port 4100 of this machine where neither variable is set, and with or without them the
 * orchestrator, which serves an editor at its own address with `serve --editor`. Entries that are not origins are left out.
 */
export function editorOriginsOf(env: Environment, given?: readonly string[]): readonly string[] {
  const listed = [env['EDITOR_CORS_ORIGINS'], env['NEXT_PUBLIC_EDITOR_ORIGIN']].flatMap((list) => list?.split(',') ?? [])
  const chosen = listed.length > 0 || env['NODE_ENV'] === 'production' ? listed : [localEditor]
  const own = env['NODE_ENV'] === 'production' ? [] : [publicOrchestratorAddress(env)]
  return (given ?? [...chosen, ...own]).flatMap((origin) => toOrigin(origin.trim()) ?? [])
}
