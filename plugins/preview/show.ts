import { createHash } from 'node:crypto'
import { Refusal } from '../../kernel/index.ts'
import { diffStates, type BlockDiff, type FieldDiff, type PageDiff } from '../content/diff/index.ts'
import { html, raw, toMarkup, type Html } from '../content/markup.ts'
import { navigationOf } from '../content/navigation.ts'
import { loadRenderer, loadThread } from '../demo-site/port.ts'
import type { Claims, Links } from './links.ts'
import type { ReadView, Viewed } from './views.ts'

/** An HTML answer. */
interface ShownPage {
  readonly status: 200 | 403 | 410 | 503
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Blocks scripts, and frames outside of this service. */
const restrictions = "frame-ancestors 'self'; sandbox allow-same-origin"

/** Shows the page of a link, or a page with the reason why it cannot be shown. */
export async function show(
  link: string,
  {
    links,
    read,
    siteOf,
  }: {
    readonly links: Links
    readonly read: ReadView
    /** Returns the origin of the site of a draft, if known. */
    readonly siteOf: (claims: Claims) => Promise<string | undefined>
  },
): Promise<ShownPage> {
  const answer = (status: ShownPage['status'], body: string, policy = ownPolicy): ShownPage => ({
    status,
    body,
    headers: { 'content-security-policy': `${policy}; ${restrictions}`, 'x-robots-tag': 'noindex' },
  })
  const showMessage = (status: ShownPage['status'], title: string, sentence: string): ShownPage =>
    answer(status, documentOf(title, html`<h1>${title}</h1><p>${sentence}</p>`))

  const showPage = async (
    claims: Claims,
    { page, slugs, siteConfig, notice }: Viewed,
  ): Promise<ShownPage> => {
    const { siteId, slug, framed = false } = claims
    if (!page)
      return showMessage(410, 'Page not found', `The page ${slug} does not exist in this state. ${notice}`)
    const navigation = navigationOf({ slugs, config: siteConfig, current: slug, siteId })
    const from = await siteOf(claims)
    const markup = await renderAside({
      page,
      navigation,
      siteName: navigation.name,
      notice: framed ? undefined : notice,
      draft: false,
      away: { from },
    })
    return answer(
      200,
      markup,
      contentSecurityPolicy.replace("base-uri 'none'", `base-uri ${from ?? "'none'"}`),
    )
  }

  const showLink = async (): Promise<ShownPage> => {
    const claims = await links.read(link)
    if (claims === 'altered')
      return showMessage(
        403,
        'This link is not valid',
        'It is incomplete or was changed. Copy the complete link, or request a new one.',
      )
    if (claims === 'expired')
      return showMessage(
        410,
        'This link has expired',
        'Preview links are valid for an hour, and no longer than the token that asked for them. Request a new one.',
      )
    const { shown, slug } = claims
    if (shown.what !== 'compare') return showPage(claims, await read(claims, slug, shown))
    const [before, after] = [await read(claims, slug, shown.before), await read(claims, slug, shown.after)]
    const frame = (side: typeof shown.before): string =>
      `show?${new URLSearchParams({ link: links.sign({ ...claims, shown: side, framed: true }) })}`
    const sides = {
      before: { ...before, address: frame(shown.before) },
      after: { ...after, address: frame(shown.after) },
    }
    return answer(200, documentOf(`Compared: ${slug}`, comparison(slug, sides)))
  }

  try {
    return await showLink()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'not_found'
      ? showMessage(410, 'Nothing to show', error.reason)
      : showMessage(503, 'This cannot be shown now', error.reason)
  }
}

/** One side of a comparison, with the address that shows it. */
interface ShownSide extends Viewed {
  readonly address: string
}

const maxValueCharacters = 600

/** Renders two states of a page in frames side by side, with their differences as in `GET /publish/diff`. */
function comparison(
  slug: string,
  { before, after }: { readonly before: ShownSide; readonly after: ShownSide },
): Html {
  const frame = ({ name, notice, address }: ShownSide): Html => html`<section>
<h2>${name}</h2>
<p>${notice}</p>
<iframe src="${address}" title="${name}"></iframe>
</section>
`
  const row = ({ path, before: old, after: now }: FieldDiff): Html =>
    html`<tr><th scope="row">${path}</th><td class="before" data-side="${before.name}">${toText(old)}</td><td class="after" data-side="${after.name}">${toText(now)}</td></tr>
`
  const table = (fields: readonly FieldDiff[]): Html | false =>
    fields.length > 0 &&
    html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">${before.name}</th><th scope="col">${after.name}</th></tr></thead>
<tbody>
${fields.map(row)}</tbody>
</table>
`
  const ofBlock = ({
    type,
    blockId,
    status,
    positionBefore,
    positionAfter,
    fieldDiffs = [],
  }: BlockDiff): Html => {
    const place =
      status === 'moved' && `, from place ${Number(positionBefore) + 1} to ${Number(positionAfter) + 1}`
    return html`<h3>${type} <code>${blockId}</code>: ${status}${place}</h3>
${table(fieldDiffs)}`
  }
  const diff = diffStates({ before: before.page, after: after.page })
  const changed = diff?.blockDiffs.filter(({ status }) => status !== 'unchanged') ?? []
  const settings = [...titleOf(diff), ...(diff?.metaDiffs ?? [])]

  return html`<main>
<h1>${before.name} and ${after.name} of ${slug}</h1>
<p>${summaryOf(diff)}</p>
<div class="sides">
${frame(before)}${frame(after)}</div>
<h2>What differs</h2>
${
  settings.length > 0 &&
  html`<h3>Title and description</h3>
${table(settings)}`
}${changed.map(ofBlock)}${settings.length + changed.length === 0 && html`<p>Nothing visible to visitors.</p>`}
</main>`
}

const summaries = {
  added: 'The page is new.',
  removed: 'The page is removed.',
  modified: 'The page is changed.',
  unchanged: 'The page is the same in both.',
} as const

const summaryOf = (diff: PageDiff | undefined): string =>
  diff ? summaries[diff.status] : 'The page exists in neither of the two.'

function titleOf(diff: PageDiff | undefined): readonly FieldDiff[] {
  if (diff?.status !== 'modified' || diff.titleAfter === undefined) return []
  return [{ path: 'title', before: diff.titleBefore, after: diff.titleAfter, kind: 'text' }]
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text
}

const [{ contentSecurityPolicy }, { renderAside }] = await Promise.all([loadRenderer(), loadThread()])

/** Renders a page of this service itself. */
function documentOf(title: string, body: Html): string {
  return toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`)
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3c424c); --soft: light-dark(#f4f6f9, #22262d); --added: light-dark(#dff5e3, #17402a); --removed: light-dark(#fde3e3, #4d2124) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 110rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; margin: .2rem 0 .6rem }
h2 { font-size: 1.05rem; margin: 0 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .3rem }
.sides { display: grid; gap: 1rem; margin: 1rem 0 }
section { display: grid; grid-template-rows: subgrid; grid-row: span 3; gap: .3rem }
h2 + p { margin: 0 }
@media (min-width: 60rem) { .sides { grid-template-columns: 1fr 1fr } }
iframe { display: block; width: 100%; height: min(75vh, 60rem); border: 1px solid var(--line); border-radius: .4rem; background: Canvas }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border: 1px solid var(--line) }
th { background: var(--soft); font-weight: 600 }
td { white-space: pre-wrap }
.before { background: var(--removed) }
.after { background: var(--added) }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden }
  tr, th, td { display: block; border-width: 0 0 1px }
  td::before { content: attr(data-side) ': '; display: block; font-size: .85rem; opacity: .75 }
  tbody tr { border: 1px solid var(--line); margin-bottom: .6rem }
}
`

/** Allows only the style of `documentOf`, and frames of this service. */
const ownPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
