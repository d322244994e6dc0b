/** The public entry point for publishing to a website: `content-orchestrator/site/publish`. */
export { diffContent as diffPages } from '../../content/diff/index.ts'
export { withoutGeneratedItemIds } from '../../content/items.ts'
export { builtinRegistry } from '../../content/registry.ts'
export { jsonFilePublishHandler, type JsonFilePublishOptions } from './json-file.ts'
