/** The public entry point of the content model: the types that hosts, adapters and plugins use. */
export {
  contentAdapter,
  type ContentAdapter,
  type ContentChanges,
  type MediaFile,
  type MediaItem,
  type MediaPage,
  type MediaQuery,
  type SiteContent,
} from './adapter.ts'
export { ContentDiff } from './diff/index.ts'
export { ManifestDocument } from './manifest.ts'
export type {
  BlockMeta,
  BlockType,
  BlockTypeInput,
  FieldKind,
  FieldMeta,
  Fields,
  PropsSchema,
  Registry,
} from './model.ts'
export type { Operation, OperationName } from './operations/index.ts'
export { Operations } from './operations/parse.ts'
export { Block, Page, PageMeta, SiteConfig, type Props } from './page.ts'
export { builtinRegistry, createRegistry, type OpenRegistry } from './registry.ts'
