/** Blocks of text: call to action, rich text, banner, quotes, and texts that open and close without script. */
import { html, type Html } from '../../content/markup.ts'
import { markdown } from './markdown.ts'
import {
  actions,
  choice,
  headingOf,
  optionalPicture,
  paragraph,
  text,
  type BlockRenderer,
  type View,
} from './parts.ts'
import { safeLink } from './url.ts'

const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,25}|(?:rgb|hsl)a?\([0-9.,%/ deg]{1,60}\))$/i

export const cta: BlockRenderer = (view) => html`<div class="cta">
  ${headingOf(view, 'title', view.level)}
  ${paragraph(view, 'description', 'lead')}
  ${actions(view)}
</div>`

export const richText: BlockRenderer = (view) => {
  const { props, level, inner, mark } = view
  const body = markdown(props['body'], text(props, 'title') === '' ? level : inner)
  return html`<div class="narrow">${headingOf(view, 'title', level)}<div class="prose"${mark('body')}>${body}</div></div>`
}

export const banner: BlockRenderer = ({ props, mark }) => {
  const [label, variant] = [text(props, 'ctaText'), choice(props, 'variant', ['info', 'success', 'warning'])]
  const style = colours(text(props, 'backgroundColor'), text(props, 'textColor'))
  return html`<div class="banner banner-${variant}"${style}>
    <p><span${mark('text')}>${text(props, 'text')}</span>${label !== '' && html` <a href="${safeLink(props['ctaHref'])}"${mark('ctaText')}>${label}</a>`}</p>
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

export const testimonials: BlockRenderer = (view) => html`${headingOf(view, 'title', view.level)}
  <ul class="grid columns-2">
    ${view.rows('items').map(
      (row) => html`<li${row.mark()}>
      ${figure(row, html`<p${row.mark('quote')}>${text(row.props, 'quote')}</p>`, 'testimonial')}
    </li>`,
    )}
  </ul>`

export const quote: BlockRenderer = (view) =>
  figure(view, html`<div${view.mark('quote')}>${markdown(view.props['quote'], view.inner)}</div>`, 'quote')

function figure(view: View, words: Html, className: string): Html {
  const { props, mark } = view
  const [author, role] = [text(props, 'author'), text(props, 'role')]
  return html`<figure class="${className}">
    <blockquote>${words}</blockquote>
    <figcaption>
      ${optionalPicture(view, 'imageUrl', 'imageAlt')}
      <span>
        ${author !== '' && html`<strong${mark('author')}>${author}</strong>`}
        ${role !== '' && html`<span class="muted"${mark('role')}>${role}</span>`}
      </span>
    </figcaption>
  </figure>`
}

export const faqAccordion: BlockRenderer = (view) => html`<div class="narrow">
  ${headingOf(view, 'title', view.level)}
  ${view.rows('items').map(
    (row) => html`<details class="question"${row.mark()}>
    <summary>${headingOf(row, 'q', view.inner)}</summary>
    <div class="prose"${row.mark('a')}>${markdown(row.props['a'], view.inner)}</div>
  </details>`,
  )}
</div>`

export const tabs: BlockRenderer = (view) => html`${headingOf(view, 'title', view.level)}
  <div class="tabs">
    ${view.rows('tabs').map(
      ({ props, mark }, i) => html`<details name="tabs-${view.id}"${i === 0 && html` open`}${mark()}>
      <summary><span${mark('label')}>${text(props, 'label')}</span></summary>
      <div class="prose"${mark('content')}>${markdown(props['content'], view.inner)}</div>
    </details>`,
    )}
  </div>`
