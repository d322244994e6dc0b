import { diffPage, removedPage, type BlockDiff, type FieldDiff, type PageDiff } from '../content/diff/index.ts'
import { html, type Html } from '../content/markup.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { Viewed } from './views.ts'

/** A state of a page, and the address that shows it. */
export interface Side extends Viewed {
  readonly address: string
}

const longestValue = 600

/** Two states of a page in frames beside each other, and below them what differs, as `GET /publish/diff` sees it. */
export function comparison(slug: string, { before, after }: { readonly before: Side; readonly after: Side }): Html {
  const frame = ({ name, notice, address }: Side): Html => html`<section>
<h2>${name}</h2>
<p>${notice}</p>
<iframe src="${address}" title="${name}"></iframe>
</section>
`
  const row = ({ path, before: old, after: now }: FieldDiff): Html =>
    html`<tr><th scope="row">${path}</th><td class="before" data-side="${before.name}">${toText(old)}</td><td class="after" data-side="${after.name}">${toText(now)}</td></tr>
`
  const table = (fields: readonly FieldDiff[]): Html | false => fields.length > 0 && html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">${before.name}</th><th scope="col">${after.name}</th></tr></thead>
<tbody>
${fields.map(row)}</tbody>
</table>
`
  const ofBlock = ({ type, blockId, status, positionBefore, positionAfter, fieldDiffs = [] }: BlockDiff): Html => {
    const place = status === 'moved' && `, from place ${Number(positionBefore) + 1} to ${Number(positionAfter) + 1}`
    return html`<h3>${type} <code>${blockId}</code>: ${status}${place}</h3>
${table(fieldDiffs)}`
  }
  const diff = diffOf(before, after)
  const changed = diff?.blockDiffs.filter(({ status }) => status !== 'unchanged') ?? []
  const settings = [...titleOf(diff), ...(diff?.metaDiffs ?? [])]

  return html`<main>
<h1>${before.name} and ${after.name} of ${slug}</h1>
<p>${verdictOf(diff)}</p>
<div class="sides">
${frame(before)}${frame(after)}</div>
<h2>What differs</h2>
${settings.length > 0 && html`<h3>Title and description</h3>
${table(settings)}`}${changed.map(ofBlock)}${settings.length + changed.length === 0 && html`<p>Nothing that visitors see.</p>`}
</main>`
}

function diffOf({ page: before }: Side, { page: after }: Side): PageDiff | undefined {
  if (after) return diffPage(after, before, { registry: builtinRegistry })
  return before && removedPage(before)
}

const verdicts = {
  added: 'The page is new: it is not there before.',
  removed: 'The page is removed.',
  modified: 'The page is changed.',
  unchanged: 'The page is the same in both.',
} as const

const verdictOf = (diff: PageDiff | undefined): string => (diff ? verdicts[diff.status] : 'The page is in neither of the two.')

function titleOf(diff: PageDiff | undefined): readonly FieldDiff[] {
  if (diff?.status !== 'modified' || diff.titleAfter === undefined) return []
  return [{ path: 'title', before: diff.titleBefore, after: diff.titleAfter, kind: 'text' }]
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
