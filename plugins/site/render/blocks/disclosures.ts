/** Blocks that open and close, with the keyboard and without script: questions with answers, and tabs. */
import { html } from '../html.ts'
import { markdown } from '../markdown.ts'
import { heading } from '../parts.ts'
import { rows, text } from '../props.ts'
import type { BlockRenderer } from './block.ts'

export const faqAccordion: BlockRenderer = ({ props, level, inner }) => html`<div class="narrow">
  ${heading(level, text(props, 'title'))}
  ${rows(props, 'items').map((row) => html`<details class="question">
    <summary>${heading(inner, text(row, 'q'))}</summary>
    <div class="prose">${markdown(row['a'], inner)}</div>
  </details>`)}
</div>`

export const tabs: BlockRenderer = ({ id, props, level, inner }) => html`${heading(level, text(props, 'title'))}
  <div class="tabs">
    ${rows(props, 'tabs').map((row, i) => html`<details name="tabs-${id}"${i === 0 && html` open`}>
      <summary>${text(row, 'label')}</summary>
      <div class="prose">${markdown(row['content'], inner)}</div>
    </details>`)}
  </div>`
