import { slot } from '../../../kernel/index.ts'
import type { CmsProvider } from './provider.ts'

export { defineCmsProvider, type CmsProvider, type MediaLibrary, type Opened } from './provider.ts'

/** Kinds of CMS besides Contentful, Sanity and Strapi, declared with `defineCmsProvider`. */
export const cmsProviders = slot<CmsProvider>('cms-media.providers')
