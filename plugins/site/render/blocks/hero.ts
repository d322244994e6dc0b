import { html } from '../html.ts'
import { actions, heading, paragraph, picture } from '../parts.ts'
import { choice, text } from '../props.ts'
import type { BlockRenderer } from './block.ts'

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
