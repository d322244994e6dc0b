import * as v from 'valibot'
import { use } from '../../kernel/index.ts'
import checks from '../../plugins/checks/index.ts'
import dismissals from '../../plugins/checks/dismissals/index.ts'
import { Fixed, Report, type FindingDocument } from '../../plugins/checks/testing.ts'
import { redirectsKey } from '../../plugins/content/redirects.ts'
import { drafts } from '../../plugins/draft/port.ts'
import { openDrafts, type SmallOptions } from './stack.ts'

/** A page without findings; `blocks` replaces its own. */
export const goodPage = (slug: string, blocks?: readonly object[], more: object = {}) => ({
  id: `p_${slug.replace(/\W/g, '') || 'home'}`,
  slug,
  title: `A page about bicycles at ${slug}`,
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks: blocks ?? [hero('b_hero')],
  meta: {
    title: `Bicycles and repairs at ${slug}`,
    description: `What we repair, what it costs and how long it takes, for riders who come by at ${slug}.`,
    ogImage: 'https://cdn.example/street.jpg',
  },
  ...more,
})

export const hero = (id: string, more: object = {}) => ({
  id,
  type: 'Hero',
  props: {
    heading: 'We repair bicycles',
    subheading: 'While you have a coffee next door.',
    ctaText: 'See our prices',
    ctaHref: '/',
    imageUrl: 'https://cdn.example/workshop.jpg',
    imageAlt: 'A mechanic trues a wheel',
    ...more,
  },
})

export const text = (id: string, body: string, more: object = {}) => ({
  id,
  type: 'RichText',
  props: { title: 'How we work', body, ...more },
})

export const goodConfig = { name: 'Fern & Spoke', logo: 'https://cdn.example/logo.svg' }

/** A change of a draft whose site lists these redirects. */
const listing = (redirects: Readonly<Record<string, string>>) => ({
  id: { siteId: 'acme', session: 'dev' },
  edit: { kind: 'config', patch: { [redirectsKey]: redirects } } as const,
  actor: { kind: 'system' } as const,
  channel: 'site' as const,
})

/** A draft with checks, and a client of them. */
export async function openChecks(
  t: Parameters<typeof openDrafts>[0],
  pages: readonly object[],
  {
    config = goodConfig,
    redirects,
    limits = {},
    ...options
  }: SmallOptions & {
    readonly config?: object
    readonly redirects?: Readonly<Record<string, string>> | undefined
    readonly limits?: { readonly maxPages?: number; readonly maxDraftBytes?: number }
  } = {},
) {
  const opened = openDrafts(t, {
    ...options,
    plugins: [use(checks, limits), use(dismissals), ...(options.plugins ?? [])],
  })
  await opened.bootstrap(pages, { siteConfig: config, overwrite: true })
  if (redirects) await (await opened.mounted.get(drafts)).commit(listing(redirects), () => undefined)
  const report = async (query: Readonly<Record<string, string>> = {}): Promise<Report> =>
    v.parse(Report, (await opened.get('/checks', query)).json())
  const findings = async (rule?: string): Promise<readonly FindingDocument[]> =>
    (await report()).findings.filter((each) => rule === undefined || each.rule === rule)
  const fix = async (findingIds: readonly string[], more: object = {}): Promise<Fixed> =>
    v.parse(Fixed, (await opened.send('/checks/fix', { findingIds, ...more })).json())
  return { ...opened, report, findings, fix }
}
