/** Blocks laid out in cards and columns: hero, card, grids, two columns. */
import type { HeadingLevel } from '../../content/fields.ts'
import { html, type Html } from '../../content/markup.ts'
import { film } from './block-media.ts'
import {
  actions,
  button,
  choice,
  headingOf,
  icon,
  optionalPicture,
  paragraph,
  picture,
  text,
  texts,
  type BlockRenderer,
  type View,
} from './parts.ts'

export const hero: BlockRenderer = (view) => {
  const { props, level } = view
  const position = choice(props, 'imagePosition', ['right', 'left', 'full'])
  const align = choice(props, 'textAlign', ['left', 'center'])
  return html`<div class="hero hero-${position} align-${align}">
    <div class="hero-text">
      ${paragraph(view, 'eyebrow', 'eyebrow')}
      ${headingOf(view, 'heading', level)}
      ${paragraph(view, 'subheading', 'lead')}
      ${actions(view)}
    </div>
    <div class="hero-image">${picture(view, 'imageUrl', 'imageAlt', 'eager')}</div>
  </div>`
}

const variants = ['default', 'full-bleed'] as const
const columns = ['3', '2', '4'] as const

export const card: BlockRenderer = (view) => html`<div class="narrow">
  ${cardBody(view, choice(view.props, 'variant', variants), view.level)}
</div>`

export const cardGrid: BlockRenderer = (view) => {
  const { props, level, inner, rows } = view
  const variant = choice(props, 'cardVariant', variants)
  return html`${headingOf(view, 'title', level)}${paragraph(view, 'subtitle', 'lead')}
  <ul class="grid columns-${choice(props, 'columns', columns)}">
    ${rows('cards').map((row) => html`<li${row.mark()}>${cardBody(row, variant, inner)}</li>`)}
  </ul>`
}

export const featureGrid: BlockRenderer = (view) => html`
  ${headingOf(view, 'title', view.level)}
  <ul class="grid columns-${choice(view.props, 'columns', columns)}">
    ${view.rows('features').map(
      (row) => html`<li class="feature"${row.mark()}>
      ${icon(text(row.props, 'icon'))}
      ${headingOf(row, 'title', view.inner)}
      ${paragraph(row, 'description', 'muted')}
    </li>`,
    )}
  </ul>`

function cardBody(view: View, variant: (typeof variants)[number], level: HeadingLevel): Html {
  return html`<article class="card card-${variant}">
    ${optionalPicture(view, 'imageUrl', 'imageAlt')}
    <div class="card-text">
      ${headingOf(view, 'title', level)}
      ${paragraph(view, 'description', 'muted')}
      ${actions(view)}
    </div>
  </article>`
}

type RowRenderer = (row: View, view: { readonly level: HeadingLevel; readonly inner: HeadingLevel }) => Html

export const twoColumn: BlockRenderer = ({ props, level, inner, rows }) => {
  const rendered = (row: View): Html => {
    const content = renderers.get(text(row.props, 'type'))?.(row, { level, inner })
    return content ? html`<div class="part"${row.mark()}>${content}</div>` : html``
  }
  return html`<div class="two-column two-column-${choice(props, 'variant', ['default', 'accent'])}">
    <div class="column">${rows('left').map(rendered)}</div>
    <div class="column">${rows('right').map(rendered)}</div>
  </div>`
}

const renderers: ReadonlyMap<string, RowRenderer> = new Map<string, RowRenderer>([
  ['heading', (row, { level }) => headingOf(row, 'text', level)],
  ['subheading', (row, { inner }) => headingOf(row, 'text', inner)],
  ['paragraph', (row) => paragraph(row, 'text', 'muted')],
  ['list', ({ props }) => html`<ul>${texts(props, 'items').map((item) => html`<li>${item}</li>`)}</ul>`],
  ['cta', (row) => html`<p class="actions">${labelled(row)}</p>`],
  ['ctas', (row) => html`<p class="actions">${row.rows('buttons').map(labelled)}</p>`],
  ['image', (row) => picture(row, 'src', 'alt')],
  ['video', ({ props }) => film(props['src'], props['poster'], text(props, 'alt') || 'Video')],
])

function labelled({ props, mark }: View): Html | undefined {
  const variant = text(props, 'variant') === 'secondary' ? 'secondary' : 'primary'
  return button(text(props, 'label'), props['href'], variant, mark('label'))
}
