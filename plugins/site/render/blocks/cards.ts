/** Blocks made of cards: one card, a grid of cards, a grid of features. */
import type { HeadingLevel } from '../../../content/fields.ts'
import type { Props } from '../../../content/page.ts'
import { html, type Html } from '../html.ts'
import { actions, heading, optionalPicture, paragraph } from '../parts.ts'
import { choice, rows, text } from '../props.ts'
import { safeFile } from '../url.ts'
import type { BlockRenderer } from './block.ts'

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
    ${rows(props, 'features').map((row) => html`<li class="feature">
      ${icon(text(row, 'icon'))}
      ${heading(inner, text(row, 'title'))}
      ${paragraph(text(row, 'description'), 'muted')}
    </li>`)}
  </ul>`

/** An icon says nothing that the text beside it does not say, so it is hidden from screen readers. */
export function icon(value: string): Html {
  if (value === '') return html``
  const image = /^(?:https?:)?\//i.test(value) ? safeFile(value) : undefined
  const shown = image === undefined ? value : html`<img src="${image}" alt="">`
  return html`<span class="icon" aria-hidden="true">${shown}</span>`
}

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
