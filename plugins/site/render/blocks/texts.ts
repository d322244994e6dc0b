/** Blocks of plain words: a call to action, rich text, a banner. */
import { html, type Html } from '../html.ts'
import { markdown } from '../markdown.ts'
import { actions, heading, paragraph } from '../parts.ts'
import { choice, text } from '../props.ts'
import { safeLink } from '../url.ts'
import type { BlockRenderer } from './block.ts'

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

/** A style attribute made of values that are colours and nothing else. */
function colours(background: string, foreground: string): Html {
  const rules = [
    colour.test(background) && html`background:${background};`,
    colour.test(foreground) && html`color:${foreground};`,
  ].filter((rule) => rule !== false)
  return rules.length === 0 ? html`` : html` style="${rules}"`
}
