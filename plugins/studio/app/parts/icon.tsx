import type { IconName } from './icons.ts'

const file = document.querySelector('meta[name=icons]')?.getAttribute('content') ?? ''

/** Draws an icon; its button or link has the name. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`studio/${file}#${name}`} />
  </svg>
)
