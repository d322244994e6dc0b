/** Blocks of images, films, foreign content, numbers and tables. */
import { html, type Html } from '../../content/markup.ts'
import {
  actions,
  choice,
  headingOf,
  icon,
  list,
  paragraph,
  picture,
  text,
  type BlockRenderer,
} from './parts.ts'
import { safeFile, safeFrame } from './url.ts'

export const gallery: BlockRenderer = (view) => html`${headingOf(view, 'title', view.level)}
  <ul class="grid gallery columns-${choice(view.props, 'columns', ['3', '2', '4'])}">
    ${view.rows('images').map(
      (row) => html`<li${row.mark()}><figure>
      ${picture(row, 'imageUrl', 'alt')}
      ${text(row.props, 'caption') !== '' && html`<figcaption class="muted"${row.mark('caption')}>${text(row.props, 'caption')}</figcaption>`}
    </figure></li>`,
    )}
  </ul>`

/** Slides are side by side and scrolled by hand, because moving content is hard to read. */
export const carousel: BlockRenderer = ({ rows, inner }) => html`
<div class="slides" role="region" aria-label="Slides" tabindex="0">
  <ul>
    ${rows('items').map(
      (row) => html`<li class="slide"${row.mark()}>
      ${picture(row, 'imageUrl', 'imageAlt')}
      <div class="slide-text">
        ${headingOf(row, 'heading', inner)}
        ${paragraph(row, 'description', 'muted')}
        ${actions(row)}
      </div>
    </li>`,
    )}
  </ul>
</div>`

export const video: BlockRenderer = (view) => {
  const { props, level } = view
  const title = text(props, 'title')
  const plays = props['autoplay'] === 'true' && html` autoplay muted playsinline`
  const repeats = props['loop'] === 'true' && html` loop`
  const player = film(props['src'], props['posterUrl'], title || 'Video', html`${plays}${repeats}`)
  return html`${headingOf(view, 'title', level)}${player}`
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
export const embed: BlockRenderer = (view) => {
  const { props, level, isOwn } = view
  const [title, url] = [text(props, 'title'), safeFrame(props['url'])]
  const ratio = choice(props, 'aspectRatio', ['16:9', '4:3', '1:1']).replace(':', '-')
  const window =
    url !== undefined &&
    html`<iframe class="embed ratio-${ratio}" src="${url}"
    title="${title || 'Embedded content'}" loading="lazy" referrerpolicy="no-referrer"
    sandbox="allow-scripts allow-popups allow-forms${!isOwn(url) && ' allow-same-origin'}"></iframe>`
  return html`${headingOf(view, 'title', level)}${window}`
}

export const stats: BlockRenderer = (view) => html`${headingOf(view, 'title', view.level)}
  <dl class="stats">
    ${view.rows('stats').map(
      ({ props, mark }) => html`<div${mark()}>
      <dt${mark('label')}>${text(props, 'label')}</dt>
      <dd class="value">${icon(text(props, 'icon'))}<span${mark('value')}>${text(props, 'value')}</span></dd>
      ${text(props, 'description') !== '' && html`<dd class="muted"${mark('description')}>${text(props, 'description')}</dd>`}
    </div>`,
    )}
  </dl>`

export const table: BlockRenderer = (view) => {
  const { props, level, mark } = view
  const title = text(props, 'title')
  const headers = list(props, 'headers').map(
    (name, at) => html`<th scope="col"${mark(`headers[${at}]`)}>${cell(name)}</th>`,
  )
  const lines = list(props, 'rows').map((row, at) => {
    if (!Array.isArray(row)) return html``
    const cells = row.map((value, column) => html`<td${mark(`rows[${at}][${column}]`)}>${cell(value)}</td>`)
    return html`<tr>${cells}</tr>`
  })
  return html`${headingOf(view, 'title', level)}
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
