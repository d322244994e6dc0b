import * as v from 'valibot'
import { bytesWithPages, pageBytes } from '../../content/page-bytes.ts'
import { namedLocks } from '../../content/locked.ts'
import { namesOf, type Unreadable } from '../../content/read-pages.ts'
import { headerToSend } from '../../content/redirects.ts'
import { UpstreamFailure, type Outbound } from '../../outbound/port.ts'
import type { Publication, PublishFacts, PublishOutcome, PublishTarget } from '../port.ts'
import { changedMeanwhile, failed, refused, succeeded } from '../outcome.ts'

/** A field of an unexpected type is ignored, because the site may have published anyway. */
const lenient = <S extends v.GenericSchema<unknown, unknown>>(schema: S) =>
  v.fallback(v.optional(schema), undefined)

const SiteAnswer = v.object({
  ok: lenient(v.boolean()),
  slugs: lenient(v.array(v.string())),
  error: lenient(v.string()),
  reason: lenient(v.string()),
  notes: lenient(v.array(v.unknown())),
  unsupported: lenient(v.array(v.unknown())),
})
type SiteAnswer = v.InferOutput<typeof SiteAnswer>

const publishLimits = { method: 'POST', timeoutMs: 60_000, maxBytes: 1024 * 1024 } as const
const path = '/api/editor/publish'

/**
 * Publishes by posting the pages to the site's own editor route.
 *
 * The publish token is sent only to configured origins, because clients can register any address for a site.
 */
export function siteContract(outbound: Outbound, publishToken: string | undefined): PublishTarget {
  return {
    name: 'site-contract',
    takesFiles: true,
    claims: ({ siteOrigin }) => siteOrigin !== undefined,
    async publish(publication) {
      const { siteOrigin, ifMatch, signal } = publication
      if (siteOrigin === undefined) return failed(400, 'Name the site to publish to in siteOrigin.')
      const isTrusted = outbound.isAllowedOrigin(siteOrigin)
      const headers = {
        ...(publishToken !== undefined && isTrusted && { 'x-publish-token': publishToken }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      }
      try {
        const body = { headers, json: bodyOf(publication) }
        const request = { ...publishLimits, ...body, allowOrigins: [siteOrigin], signal }
        const { status, json } = await outbound.fetch(`${siteOrigin}${path}`, request)
        if (status === 404) return noContract()
        if (status === 401 && publishToken !== undefined && !isTrusted)
          return failed(400, notSent(siteOrigin), { tracker: trackerOf(401) })
        return toOutcome(status, v.parse(SiteAnswer, json()), publication)
      } catch (error) {
        if (error instanceof UpstreamFailure || error instanceof v.ValiError) return noAnswer(siteOrigin)
        throw error
      }
    },
  }
}

function bodyOf(publication: Publication): Uint8Array {
  const { id, key, pages, entries, siteConfig, redirects, publishedAt, assets } = publication
  const { allowDelete, removed = [] } = publication
  const hasAssets = Object.keys(assets).length > 0
  const encoded = new Map<unknown, Uint8Array>(pages.map((page) => [page, pageBytes(page)]))
  const bytes = entries.map((entry) => encoded.get(entry) ?? Buffer.from(JSON.stringify(entry)))
  return bytesWithPages(bytes, {
    siteConfig: headerToSend(siteConfig),
    redirects,
    siteId: id.siteId,
    session: key,
    publishedAt,
    ...(hasAssets && { assets }),
    ...(allowDelete && { allowDelete }),
    ...(removed.length > 0 && { remove: removed }),
  })
}

const trackerOf = (deployStatus: number) => ({ deployStatus, deployResponse: 'site_contract' })

const noContract = (): PublishOutcome =>
  failed(400, `The site has no ${path}. Mount the editor routes in it, then publish again.`, {
    tracker: trackerOf(400),
  })

const notSent = (origin: string): string =>
  `PUBLISH_TOKEN is not sent to ${origin}, because that address is only registered. ` +
  'Add it to ORCHESTRATOR_CORS_ORIGINS or set SITE_PUBLIC_ORIGIN to it, then publish again.'

const noAnswer = (origin: string): PublishOutcome =>
  failed(
    502,
    `The site at ${origin} gave no usable answer. ` +
      `Check that it is running and serves ${path}, then publish again.`,
    { tracker: trackerOf(502) },
  )

function toOutcome(status: number, answer: SiteAnswer, publication: Publication): PublishOutcome {
  const { pages, entries, carried } = publication
  const { ok, slugs, error = 'refused', reason = refusalOf(status, answer), notes, unsupported } = answer
  const remarks: PublishFacts = { notes: textsIn(notes), unsupported: textsIn(unsupported) }
  const tracker = trackerOf(status)
  if (status === 412) return { ...changedMeanwhile(), tracker }
  if (status === 409) return { ...refused(reason), body: { ok: false, error, reason, ...remarks }, tracker }
  if (status < 300 && ok !== false) return { ...succeeded('ready', remarks, tracker), slugs }
  const sentBack = [...(entries.length > pages.length ? carried : []), ...namedLocks(pages)]
  const remedy = status === 400 && sentBack.length > 0 ? ` ${correct(sentBack)}` : ''
  return failed(400, `${reason}${remedy}`, { tracker, facts: remarks })
}

/** A site may refuse to store again what it has, if it cannot be used. */
const correct = (carried: readonly Unreadable[]): string =>
  `Nothing was changed. The site may refuse entries that it has and that cannot be used: ${namesOf(carried)}. ` +
  'Correct them on the site, then publish again.'

/** Returns the sentence for a refusal without a reason, as a code is not one. */
function refusalOf(status: number, { error = '' }: SiteAnswer): string {
  if (error.includes(' ')) return error
  if (status === 401) return 'The site refused the publish. Set the same PUBLISH_TOKEN on the site and here.'
  const verdict = error === '' ? '' : ` and the verdict ${error}`
  return `The site refused the publish with status ${status}${verdict}. Its log may say why.`
}

function textsIn(values: readonly unknown[] = []): string[] | undefined {
  const texts = values.filter((each) => typeof each === 'string')
  return texts.length > 0 ? texts : undefined
}
