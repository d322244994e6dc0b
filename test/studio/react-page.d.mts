import type { EditorPage } from '../../config/site.ts'

export type Shown = Pick<EditorPage, 'page' | 'slugs' | 'live'>
/** Returns the markup of a page. */
export function render(shown: Shown): string
