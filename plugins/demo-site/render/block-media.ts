/** Blocks of images, films, foreign content, numbers and tables. */
import { html, type Html } from '../../content/markup.ts'
import {
  actions,
  choice,
  heading,
  icon,
  list,
  paragraph,
  picture,
  rows,
  text,
  type BlockRenderer,
} from './parts.ts'
import { safeFile, safeFrame } from './url.ts'

export const gallery: BlockRenderer = ({ props, level }) => html`${heading(level, text(props, 'title'))}
  <ul class="grid gallery columns-${choice(props, 'columns', ['3', '2', '4'])}">
    ${rows(props, 'images').map(
      (row) => html`<li><figure>
      ${picture(row['imageUrl'], text(row, 'alt'))}
      ${text(row, 'caption') !== '' && html`<figcaption class="muted">${text(row, 'caption')}</figcaption>`}
    </figure></li>`,
    )}
  </ul>`

/** Slides are side by side and scrolled by hand, because moving content is hard to read. */
export const carousel: BlockRenderer = ({ props, inner }) => html`
<div class="slides" role="region" aria-label="Slides" tabindex="0">
  <ul>
    ${rows(props, 'items').map(
      (row) => html`<li class="slide">
      ${picture(row['imageUrl'], text(row, 'imageAlt'))}
      <div class="slide-text">
        ${heading(inner, text(row, 'heading'))}
        ${paragraph(text(row, 'description'), 'muted')}
        ${actions(row)}
      </div>
    </li>`,
    )}
  </ul>
</div>`

export const video: BlockRenderer = ({ props, level }) => {
  const title = text(props, 'title')
  const plays = props['autoplay'] === 'true' && html` autoplay muted playsinline`
  const repeats = props['loop'] === 'true' && html` loop`
  const player = film(props['src'], props['posterUrl'], title || 'Video', html`${plays}${repeats}`)
  return html`${heading(level, title)}${player}`
}

/** Renders a film with the browser's own controls, not loaded while a poster shows it; nothing without an address. */
export function film(src: unknown, poster: unknown, label: string, attributes: Html = html``): Html {
  const [address, still] = [safeFile(src), safeFile(poster)]
  if (address === undefined) return html``
  return html`<video class="film" src="${address}" aria-label="${label}" controls preload="${still === undefined ? 'metadata' : 'none'}"
    ${still !== undefined && html`poster="${still}"`}${attributes}></video>`
}

/**
 * Renders another page in a frame that cannot access the page around it. With scripts and its origin, a page
 * from an origin of ours could remove the sandbox: such a page gets no origin.
 */
export const embed: BlockRenderer = ({ props, level, isOwn }) => {
  const [title, url] = [text(props, 'title'), safeFrame(props['url'])]
  const ratio = choice(props, 'aspectRatio', ['16:9', '4:3', '1:1']).replace(':', '-')
  const window =
    url !== undefined &&
    html`<iframe class="embed ratio-${ratio}" src="${url}"
    title="${title || 'Embedded content'}" loading="lazy" referrerpolicy="no-referrer"
    sandbox="allow-scripts allow-popups allow-forms${!isOwn(url) && ' allow-same-origin'}"></iframe>`
  return html`${heading(level, title)}${window}`
}

export const stats: BlockRenderer = ({ props, level }) => html`${heading(level, text(props, 'title'))}
  <dl class="stats">
    ${rows(props, 'stats').map(
      (row) => html`<div>
      <dt>${text(row, 'label')}</dt>
      <dd class="value">${icon(text(row, 'icon'))}${text(row, 'value')}</dd>
      ${text(row, 'description') !== '' && html`<dd class="muted">${text(row, 'description')}</dd>`}
    </div>`,
    )}
  </dl>`

export const table: BlockRenderer = ({ props, level }) => {
  const title = text(props, 'title')
  const headers = list(props, 'headers').map((name) => html`<th scope="col">${cell(name)}</th>`)
  const lines = list(props, 'rows')
    .filter(Array.isArray)
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
