import { slot } from '../../kernel/index.ts'
import type { CmsProvider } from './provider.ts'

export { defineCmsProvider, type CmsProvider, type MediaLibrary, type Opened } from './provider.ts'

/** Kinds of CMS beside Contentful, Sanity and Strapi; `defineCmsProvider` makes them. */
export const cmsProviders = slot<CmsProvider>('cms-media.providers')
