/** Blocks of text: call to action, rich text, banner, quotes, and texts that open and close without script. */
import { html, type Html } from '../../content/markup.ts'
import type { Props } from '../../content/page.ts'
import { markdown } from './markdown.ts'
import {
  actions,
  choice,
  heading,
  optionalPicture,
  paragraph,
  rows,
  text,
  type BlockRenderer,
} from './parts.ts'
import { safeLink } from './url.ts'

const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,25}|(?:rgb|hsl)a?\([0-9.,%/ deg]{1,60}\))$/i

export const cta: BlockRenderer = ({ props, level }) => html`<div class="cta">
  ${heading(level, text(props, 'title'))}
  ${paragraph(text(props, 'description'), 'lead')}
  ${actions(props)}
</div>`

export const richText: BlockRenderer = ({ props, level, inner }) => {
  const title = text(props, 'title')
  const body = markdown(props['body'], title === '' ? level : inner)
  return html`<div class="prose narrow">${heading(level, title)}${body}</div>`
}

export const banner: BlockRenderer = ({ props }) => {
  const [label, variant] = [text(props, 'ctaText'), choice(props, 'variant', ['info', 'success', 'warning'])]
  const style = colours(text(props, 'backgroundColor'), text(props, 'textColor'))
  return html`<div class="banner banner-${variant}"${style}>
    <p>${text(props, 'text')}${label !== '' && html` <a href="${safeLink(props['ctaHref'])}">${label}</a>`}</p>
  </div>`
}

/** Renders a style attribute from values that are colours and nothing else. */
function colours(background: string, foreground: string): Html {
  const rules = [
    colour.test(background) && html`background:${background};`,
    colour.test(foreground) && html`color:${foreground};`,
  ].filter((rule) => rule !== false)
  return rules.length === 0 ? html`` : html` style="${rules}"`
}

export const testimonials: BlockRenderer = ({ props, level }) => html`${heading(level, text(props, 'title'))}
  <ul class="grid columns-2">
    ${rows(props, 'items').map(
      (row) => html`<li>
      ${figure(row, html`<p>${text(row, 'quote')}</p>`, 'testimonial')}
    </li>`,
    )}
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

export const faqAccordion: BlockRenderer = ({ props, level, inner }) => html`<div class="narrow">
  ${heading(level, text(props, 'title'))}
  ${rows(props, 'items').map(
    (row) => html`<details class="question">
    <summary>${heading(inner, text(row, 'q'))}</summary>
    <div class="prose">${markdown(row['a'], inner)}</div>
  </details>`,
  )}
</div>`

export const tabs: BlockRenderer = ({
  id,
  props,
  level,
  inner,
}) => html`${heading(level, text(props, 'title'))}
  <div class="tabs">
    ${rows(props, 'tabs').map(
      (row, i) => html`<details name="tabs-${id}"${i === 0 && html` open`}>
      <summary>${text(row, 'label')}</summary>
      <div class="prose">${markdown(row['content'], inner)}</div>
    </details>`,
    )}
  </div>`
