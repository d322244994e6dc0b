import * as v from 'valibot'
import { AddressVariables } from '../media/port.ts'
import { Session, SiteId } from '../scope/port.ts'

/** Limited in length, because it becomes part of a link. */
const Slug = v.optional(v.pipe(v.string(), v.maxLength(1000), v.examples(['/'])), '/')

/** The states of a page. */
const DraftView = v.object({ what: v.literal('draft') })
const PlanView = v.object({
  what: v.literal('plan'),
  planId: v.pipe(v.string(), v.maxLength(100), v.description('A plan from `GET /chat/plans`.')),
})
const VersionView = v.object({
  what: v.literal('version'),
  version: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.description('A version from `GET /history/log`.'),
  ),
})
const SnapshotView = v.object({
  what: v.literal('snapshot'),
  commit: v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{7,40}$/i, 'must be 7 to 40 hexadecimal digits'),
    v.description('A snapshot from `GET /restore/snapshots`.'),
  ),
})
export const View = v.variant('what', [DraftView, PlanView, VersionView, SnapshotView])
export type View = v.InferOutput<typeof View>

const sides = { what: v.literal('compare'), before: v.optional(View, { what: 'draft' }), after: View }
export const Shown = v.variant('what', [...View.options, v.object(sides)])
export type Shown = v.InferOutput<typeof Shown>

const page = {
  session: Session,
  siteId: SiteId,
  slug: Slug,
  framed: v.optional(
    v.pipe(v.boolean(), v.description('Without the sentence about the state, for a frame beside it.')),
  ),
}
export const LinkBody = v.pipe(
  v.variant('what', [
    v.object({ ...DraftView.entries, ...page }),
    v.object({ ...PlanView.entries, ...page }),
    v.object({ ...VersionView.entries, ...page }),
    v.object({ ...SnapshotView.entries, ...page }),
    v.object({ ...sides, ...page }),
  ]),
  v.examples([{ what: 'draft', session: 'dev', siteId: 'demo', slug: '/' }]),
)

export const Link = v.object({
  url: v.pipe(
    v.string(),
    v.description('Shows the page without a token. A path if the service has no configured address.'),
  ),
  expiresAt: v.string(),
})

export const EntryBody = v.pipe(
  v.object({ session: Session, siteId: SiteId }),
  v.examples([{ session: 'dev', siteId: 'demo' }]),
)
export const DraftEntry = v.object({
  secret: v.pipe(
    v.string(),
    v.description(
      'Takes the place of the draft secret of the site for this draft, for an hour: as `secret` of `GET /api/editor/draft` of the website, or of the address of a page.',
    ),
  ),
  trailingSlash: v.pipe(
    v.optional(v.literal(true)),
    v.description('The website answers 404 to addresses without a slash at the end, also of its pages.'),
  ),
})

export const ShowQuery = v.object({ link: v.string() })

export const ScreenshotBody = v.object({
  session: Session,
  siteId: SiteId,
  slug: v.optional(v.string(), '/'),
  previewUrl: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'The address of the site, instead of the registered one; its origin must be the registered one or listed in the configuration.',
      ),
    ),
  ),
  published: v.optional(
    v.pipe(v.boolean(), v.description('Shows the published page instead of the draft.')),
    false,
  ),
})
export type ScreenshotBody = v.InferOutput<typeof ScreenshotBody>

export const Screenshot = v.object({
  url: v.pipe(v.string(), v.description('The opened address, without the secret.')),
  slug: v.string(),
  mode: v.picklist(['draft', 'published']),
  mimeType: v.literal('image/jpeg'),
  base64: v.pipe(v.string(), v.description('The complete page, up to a height of 16,384 pixels.')),
  width: v.pipe(v.number(), v.description('The size of the image in pixels.')),
  height: v.number(),
  incomplete: v.optional(
    v.pipe(v.literal(true), v.description('The page was still loading at the time limit.')),
  ),
})
export type Screenshot = v.InferOutput<typeof Screenshot>

export const PreviewVariables = v.object({
  PREVIEW_BROWSER: v.pipe(
    v.optional(v.pipe(v.string(), v.trim())),
    v.metadata({ otherwise: 'a Chromium or Chrome at the usual paths' }),
    v.description(
      'The path of the Chromium executable for screenshots. It needs the package `playwright-core`.',
    ),
  ),
  PREVIEW_SANDBOX: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.picklist(['on', 'off'])), 'on'),
    v.description(
      '`off` starts that browser without its sandbox, which is not available to root and in some containers. Only for a dedicated container.',
    ),
  ),
  ...AddressVariables.entries,
})
