import * as v from 'valibot'
import type { Outbound } from '../../outbound/port.ts'
import { UpstreamFailure } from '../../outbound/port.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import { failed } from './outcome.ts'

const SiteAnswer = v.object({
  ok: v.optional(v.boolean()),
  slugs: v.optional(v.array(v.string())),
  error: v.optional(v.string()),
  reason: v.optional(v.string()),
  notes: v.optional(v.array(v.string())),
  unsupported: v.optional(v.unknown()),
})
type SiteAnswer = v.InferOutput<typeof SiteAnswer>

const publishLimits = { method: 'POST', timeoutMs: 60_000, maxBytes: 1024 * 1024 } as const

/** Publishes by posting the pages to the site's own `/api/editor/publish`. */
export function siteContract({ outbound, publishToken }: { readonly outbound: Outbound; readonly publishToken: string | undefined }): PublishTarget {
  return {
    name: 'site-contract',
    claims: ({ siteOrigin }) => siteOrigin !== undefined,
    async publish(publication) {
      const { siteOrigin } = publication
      if (siteOrigin === undefined) return failed(400, 'Name the site to publish to in siteOrigin.')
      try {
        const answer = await outbound.fetch(`${siteOrigin}/api/editor/publish`, {
          ...publishLimits,
          headers: publishToken === undefined ? {} : { 'x-publish-token': publishToken },
          json: bodyOf(publication),
          allowOrigins: [siteOrigin],
          signal: publication.signal,
        })
        return toOutcome(answer.status, answer.status === 404 ? {} : v.parse(SiteAnswer, answer.json()), publication)
      } catch (error) {
        if (error instanceof UpstreamFailure || error instanceof v.ValiError) {
          return failed(502, `The site at ${siteOrigin} gave no usable answer. Check that it is running and serves /api/editor/publish, then publish again.`, { deployStatus: 502, deployResponse: 'site_contract' })
        }
        throw error
      }
    },
  }
}

function bodyOf({ pages, siteConfig, key, publishedAt, assets, allowDelete }: Publication): object {
  return { pages, siteConfig, session: key, publishedAt, ...(Object.keys(assets).length > 0 && { assets }), ...(allowDelete && { allowDelete }) }
}

function toOutcome(status: number, answer: SiteAnswer, { pages }: Publication): PublishOutcome {
  const tracker = { deployStatus: status, deployResponse: 'site_contract' }
  const unsupported = textsIn(answer.unsupported)
  const remarks = { ...(answer.notes && { notes: answer.notes }), ...(unsupported && { unsupported }) }
  if (status === 404) return failed(400, 'The site has no /api/editor/publish. Mount the editor routes in it, then publish again.', { ...tracker, deployStatus: 400 })
  if (status === 409) {
    return { ok: false, httpStatus: 409, status: 'failed', body: { ok: false, error: answer.error ?? 'refused', ...(answer.reason !== undefined && { reason: answer.reason }), ...remarks }, tracker }
  }
  if (status >= 300 || answer.ok === false) return failed(400, refusalOf(status, answer), tracker, remarks)
  const count = `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
  return {
    ok: true,
    httpStatus: 200,
    status: 'ready',
    ...(answer.slugs && { slugs: answer.slugs }),
    body: { vercelState: 'READY', message: `Published ${count} to the site.`, ...remarks },
    tracker: { ...tracker, vercelState: 'READY' },
  }
}

/** The site's own words. Its `unauthorized` is not passed on as a verdict, since editors would take it for ours. */
function refusalOf(status: number, { error, reason }: SiteAnswer): string {
  if (reason !== undefined) return reason
  if (error !== undefined && error !== 'unauthorized') return error
  return status === 401 ? 'The site refused the publish: set the same PUBLISH_TOKEN on the site and here.' : `The site refused the publish with status ${status}.`
}

function textsIn(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  return texts.length > 0 ? texts : undefined
}
