/** What a picture is chosen for. */
import { signal } from '@preact/signals'
import type { PictureUse } from './uploads.ts'

export interface Picked {
  readonly url: string
  /** The name that the source has for it, such as the path of its file. */
  readonly id?: string
  /** What it shows; `undefined` where that is not stored. */
  readonly alt: string | undefined
}

export interface Picking {
  /** What happens to the chosen picture, such as "Replace it in 3 places". */
  readonly label: string
  /** What the picture before it shows; `undefined` where that is not stored. */
  readonly alt: string | undefined
  /** The address of the picture before. */
  readonly url?: string
  /** The field of a document: only pictures of its website, a new one of them, or a link can be chosen. */
  readonly use?: PictureUse
  readonly onPick: (picked: Picked) => void
}

/** `undefined` while no picture is chosen. */
export const picking = signal<Picking | undefined>(undefined)
