import { nodeRange, version } from '../../kernel/package-info.ts'
import { apiVersion, openApiDocument } from '../../plugins/docs/openapi.ts'
import { toMarkdown } from './markdown.ts'

/** The versions that a client or an operator may have to know, and where a running installation tells them. */
export function versionsTable(): string {
  const { openapi, info } = openApiDocument([], { version: apiVersion })
  return toMarkdown(['What', 'Version', 'Told by'], [
    ['this package, and every door of it', version, '`npx content-orchestrator --version`'],
    ['the description of the API', info.version, '`info.version` of `GET /docs/json`'],
    ['OpenAPI, which that is written in', openapi, '`openapi` of `GET /docs/json`'],
    ['Node.js to run it', nodeRange.replaceAll(' || ', ' or '), '`engines` of `package.json`'],
  ])
}
