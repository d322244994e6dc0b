/** Blocks laid out in cards and columns: hero, card, grids, two columns. */
import type { HeadingLevel } from '../../content/fields.ts'
import { html, type Html } from '../../content/markup.ts'
import type { Props } from '../../content/page.ts'
import { film } from './block-media.ts'
import {
  actions,
  button,
  choice,
  heading,
  icon,
  optionalPicture,
  paragraph,
  picture,
  rows,
  text,
  texts,
  type BlockRenderer,
} from './parts.ts'

export const hero: BlockRenderer = ({ props, level }) => {
  const position = choice(props, 'imagePosition', ['right', 'left', 'full'])
  const align = choice(props, 'textAlign', ['left', 'center'])
  return html`<div class="hero hero-${position} align-${align}">
    <div class="hero-text">
      ${paragraph(text(props, 'eyebrow'), 'eyebrow')}
      ${heading(level, text(props, 'heading'))}
      ${paragraph(text(props, 'subheading'), 'lead')}
      ${actions(props)}
    </div>
    <div class="hero-image">${picture(props['imageUrl'], text(props, 'imageAlt'), 'eager')}</div>
  </div>`
}

const variants = ['default', 'full-bleed'] as const
const columns = ['3', '2', '4'] as const

export const card: BlockRenderer = ({ props, level }) => html`<div class="narrow">
  ${cardBody(props, choice(props, 'variant', variants), level)}
</div>`

export const cardGrid: BlockRenderer = ({ props, level, inner }) => {
  const variant = choice(props, 'cardVariant', variants)
  return html`${heading(level, text(props, 'title'))}${paragraph(text(props, 'subtitle'), 'lead')}
  <ul class="grid columns-${choice(props, 'columns', columns)}">
    ${rows(props, 'cards').map((row) => html`<li>${cardBody(row, variant, inner)}</li>`)}
  </ul>`
}

export const featureGrid: BlockRenderer = ({ props, level, inner }) => html`
  ${heading(level, text(props, 'title'))}
  <ul class="grid columns-${choice(props, 'columns', columns)}">
    ${rows(props, 'features').map(
      (row) => html`<li class="feature">
      ${icon(text(row, 'icon'))}
      ${heading(inner, text(row, 'title'))}
      ${paragraph(text(row, 'description'), 'muted')}
    </li>`,
    )}
  </ul>`

function cardBody(props: Props, variant: (typeof variants)[number], level: HeadingLevel): Html {
  return html`<article class="card card-${variant}">
    ${optionalPicture(props['imageUrl'], text(props, 'imageAlt'))}
    <div class="card-text">
      ${heading(level, text(props, 'title'))}
      ${paragraph(text(props, 'description'), 'muted')}
      ${actions(props)}
    </div>
  </article>`
}

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
  return button(
    text(row, 'label'),
    row['href'],
    text(row, 'variant') === 'secondary' ? 'secondary' : 'primary',
  )
}
