/** What a site needs to compare and publish content. */
export { diffContent as diffPages } from '../../content/diff/index.ts'
export { withoutGeneratedItemIds } from '../../content/items.ts'
export { builtinRegistry } from '../../content/registry.ts'
export { jsonFilePublishHandler, type JsonFilePublishOptions } from '../handlers/json-file.ts'
