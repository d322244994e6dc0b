/** Blocks of facts: numbers and tables. */
import { html } from '../html.ts'
import { heading } from '../parts.ts'
import { list, rows, text } from '../props.ts'
import type { BlockRenderer } from './block.ts'
import { icon } from './cards.ts'

export const stats: BlockRenderer = ({ props, level }) => html`${heading(level, text(props, 'title'))}
  <dl class="stats">
    ${rows(props, 'stats').map((row) => html`<div>
      <dt>${text(row, 'label')}</dt>
      <dd class="value">${icon(text(row, 'icon'))}${text(row, 'value')}</dd>
      ${text(row, 'description') !== '' && html`<dd class="muted">${text(row, 'description')}</dd>`}
    </div>`)}
  </dl>`

export const table: BlockRenderer = ({ props, level }) => {
  const title = text(props, 'title')
  const headers = list(props, 'headers').map((name) => html`<th scope="col">${cell(name)}</th>`)
  const lines = list(props, 'rows').filter(Array.isArray)
    .map((row) => html`<tr>${row.map((value) => html`<td>${cell(value)}</td>`)}</tr>`)
  return html`${heading(level, title)}
  <div class="scroll" role="region" aria-label="${title || 'Table'}" tabindex="0">
    <table${props['striped'] === 'true' && html` class="striped"`}>
      <thead><tr>${headers}</tr></thead>
      <tbody>${lines}</tbody>
    </table>
  </div>`
}

function cell(value: unknown): string {
  return value === null || typeof value === 'object' || value === undefined ? '' : String(value)
}
