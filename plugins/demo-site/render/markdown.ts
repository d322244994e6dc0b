import MarkdownIt from 'markdown-it'
import type { HeadingLevel } from '../../content/fields.ts'
import { html, raw, toMarkup, type Html } from '../../content/markup.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { safeLink } from './url.ts'

/** The Markdown of content: no rule of this preset lets markup through, so it is escaped. */
const renderer = new MarkdownIt('zero', { breaks: true }).enable([
  'heading',
  'list',
  'emphasis',
  'link',
  'newline',
  'escape',
])

/** The tag of a heading, which is never above the level `top` of the environment. */
const tagOf = (token: { readonly tag: string } | undefined, env: unknown) =>
  `h${Math.max(isPlainObject(env) ? Number(env['top']) : 1, Number(token?.tag.slice(1)))}`

Object.assign(renderer.renderer.rules, {
  heading_open: (tokens, at, _options, env) => `<${tagOf(tokens[at], env)}>`,
  heading_close: (tokens, at, _options, env) => `</${tagOf(tokens[at], env)}>\n`,
  link_open: (tokens, at) => toMarkup(html`<a href="${safeLink(tokens[at]?.attrGet('href'))}">`),
} satisfies typeof renderer.renderer.rules)

/** Renders paragraphs, headings, lists, bold, italic and links. Any value but a string is empty. */
export function markdown(text: unknown, top: HeadingLevel): Html {
  if (typeof text !== 'string') return html``
  const lists = text.replaceAll(/^([ \t]*)•(?=[ \t])/gm, '$1-')
  return raw(renderer.render(lists, { top }).trimEnd())
}
