import type { HeadingLevel } from '../../../content/fields.ts'
import type { Props } from '../../../content/page.ts'
import { html, type Html } from '../html.ts'
import { button, heading, paragraph, picture } from '../parts.ts'
import { choice, rows, text, texts } from '../props.ts'
import type { BlockRenderer } from './block.ts'
import { film } from './media.ts'

type RowRenderer = (row: Props, view: { readonly level: HeadingLevel; readonly inner: HeadingLevel }) => Html

export const twoColumn: BlockRenderer = ({ props, level, inner }) => {
  const rendered = (row: Props) => renderers.get(text(row, 'type'))?.(row, { level, inner })
  return html`<div class="two-column two-column-${choice(props, 'variant', ['default', 'accent'])}">
    <div class="column">${rows(props, 'left').map(rendered)}</div>
    <div class="column">${rows(props, 'right').map(rendered)}</div>
  </div>`
}

const renderers: ReadonlyMap<string, RowRenderer> = new Map<string, RowRenderer>([
  ['heading', (row, { level }) => heading(level, text(row, 'text'))],
  ['subheading', (row, { inner }) => heading(inner, text(row, 'text'))],
  ['paragraph', (row) => paragraph(text(row, 'text'), 'muted')],
  ['list', (row) => html`<ul>${texts(row, 'items').map((item) => html`<li>${item}</li>`)}</ul>`],
  ['cta', (row) => html`<p class="actions">${labelled(row)}</p>`],
  ['ctas', (row) => html`<p class="actions">${rows(row, 'buttons').map(labelled)}</p>`],
  ['image', (row) => picture(row['src'], text(row, 'alt'))],
  ['video', (row) => film(row['src'], row['poster'], text(row, 'alt') || 'Video')],
])

function labelled(row: Props): Html | undefined {
  return button(text(row, 'label'), row['href'], text(row, 'variant') === 'secondary' ? 'secondary' : 'primary')
}
