import * as v from 'valibot'
import { Refusal } from '../../kernel/index.ts'
import { toOrigin, type Outbound, type OutboundRequest, type OutboundResponse } from '../outbound/port.ts'
import type { Severity } from './view/finding.ts'
import type { Integration } from './schemas.ts'

type IntegrationResult = Integration['results'][number]

/** The variables for the integration with a website. */
export const IntegrationVariables = v.object({
  PUBLISH_TOKEN: v.optional(v.string()),
  ORCHESTRATOR_CORS_ORIGINS: v.optional(v.string(), ''),
})
type IntegrationVariables = v.InferOutput<typeof IntegrationVariables>

/** Returns the editor origin: of the origins besides the site's, that on port 4100, else the first. */
function editorOriginOf({ ORCHESTRATOR_CORS_ORIGINS }: IntegrationVariables, site: string): string {
  const origins = ORCHESTRATOR_CORS_ORIGINS.split(',')
    .map((each) => toOrigin(each.trim()))
    .filter((origin) => origin !== undefined && origin !== site)
  return origins.find((origin) => origin?.endsWith(':4100')) ?? origins[0] ?? 'http://localhost:4100'
}

const limits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 8_000 } as const
const Pages = v.looseObject({ pages: v.array(v.unknown()) })

/** Checks how the website at an origin is integrated with this service. Only reads. */
export async function checkIntegration(
  outbound: Outbound,
  origin: string,
  env: IntegrationVariables,
  hasDraftSecret: boolean,
): Promise<Integration> {
  const url = `${origin}/api/editor/`
  const editorOrigin = editorOriginOf(env, origin)
  /** Calls an editor route; returns `undefined` without a usable answer. */
  const ask = (path: string, request: Omit<OutboundRequest, 'maxBytes' | 'timeoutMs'> = {}) =>
    outbound.fetch(url + path, { ...limits, allowOrigins: [origin], ...request }).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
  const requests = [ask('blocks'), ask('pages'), ask('blocks', { headers: { origin: editorOrigin } })]
  const [blocks, pages, cors] = await Promise.all(requests)
  const returnsJson = typeof bodyOf(blocks) === 'object'
  const allowed = cors?.headers['access-control-allow-origin']
  const isAtOrigin = pages !== undefined && new URL(pages.url).origin === origin
  const acceptsEditors = allowed === '*' || allowed === editorOrigin
  const result = (
    id: string,
    severity: Severity,
    ok: boolean,
    good: string,
    bad: string,
  ): IntegrationResult => ({ id, ok, severity, reason: ok ? good : bad })
  return {
    results: [
      result(
        'site.reachable',
        'error',
        returnsJson,
        'The website returns its block types.',
        `${url}blocks does not return JSON. Start the website, or mount the editor routes there.`,
      ),
      result(
        'site.pages',
        'error',
        v.is(Pages, bodyOf(pages)),
        'The website returns its pages.',
        `${url}pages does not return pages. Implement readContent in its adapter.`,
      ),
      result(
        'site.cors',
        'warning',
        acceptsEditors,
        'The website accepts requests of editors.',
        `The website does not accept requests of an editor at ${editorOrigin}. ` +
          'Add it to EDITOR_CORS_ORIGINS there.',
      ),
      result(
        'draft.secret-set',
        'warning',
        hasDraftSecret,
        'A draft secret is set.',
        'No draft secret is known. Run npx content-orchestrator register in the website, or set DRAFT_MODE_SECRET here and there.',
      ),
      result(
        'publish.token-set',
        'warning',
        Boolean(env.PUBLISH_TOKEN),
        'A publish token is set.',
        'No publish token is set. Set PUBLISH_TOKEN here and on the website.',
      ),
      result(
        'origin.matches-preview',
        'warning',
        isAtOrigin,
        'The website runs at its registered address.',
        `The website is registered at ${origin}, but redirects elsewhere. Register its actual address.`,
      ),
    ],
  }
}

/** Parses the JSON of an answer with status 200; `undefined` for other answers. */
function bodyOf(response: OutboundResponse | undefined): unknown {
  try {
    return response?.status === 200 ? response.json() : undefined
  } catch {
    return undefined
  }
}
