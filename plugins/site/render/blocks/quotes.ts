/** Blocks in which people speak: testimonials and a single quote. */
import type { Props } from '../../../content/page.ts'
import { html, type Html } from '../html.ts'
import { markdown } from '../markdown.ts'
import { heading, optionalPicture } from '../parts.ts'
import { rows, text } from '../props.ts'
import type { BlockRenderer } from './block.ts'

export const testimonials: BlockRenderer = ({ props, level }) => html`${heading(level, text(props, 'title'))}
  <ul class="grid columns-2">
    ${rows(props, 'items').map((row) => html`<li>
      ${figure(row, html`<p>${text(row, 'quote')}</p>`, 'testimonial')}
    </li>`)}
  </ul>`

export const quote: BlockRenderer = ({ props, inner }) =>
  figure(props, markdown(props['quote'], inner), 'quote')

function figure(props: Props, words: Html, className: string): Html {
  const [author, role] = [text(props, 'author'), text(props, 'role')]
  return html`<figure class="${className}">
    <blockquote>${words}</blockquote>
    <figcaption>
      ${optionalPicture(props['imageUrl'], text(props, 'imageAlt'))}
      <span>
        ${author !== '' && html`<strong>${author}</strong>`}
        ${role !== '' && html`<span class="muted">${role}</span>`}
      </span>
    </figcaption>
  </figure>`
}
