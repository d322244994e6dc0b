import { base } from './base.ts'
import { colours } from './colours.ts'
import { frame } from './frame.ts'
import { pictures } from './pictures.ts'
import { words } from './words.ts'

/** The whole style of the pages: light and dark, from small screens up, without a request to anyone. */
export const stylesheet = [colours, base, frame, words, pictures].join('')
