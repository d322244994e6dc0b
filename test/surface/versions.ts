import { nodeRange, version } from '../../kernel/package-info.ts'
import { apiVersion, openApiDocument } from '../../plugins/docs/testing.ts'
import { toMarkdown } from './markdown.ts'

/** The versions relevant to clients and operators, and where an installation shows them. */
export async function versionsTable(): Promise<string> {
  const { openapi, info } = await openApiDocument([], { version: apiVersion })
  return toMarkdown(
    ['What', 'Version', 'Shown by'],
    [
      ['this package, with all its entry points', version, '`npx content-orchestrator --version`'],
      ['the API description', info.version, '`info.version` of `GET /docs/json`'],
      ['OpenAPI, the format of that description', openapi, '`openapi` of `GET /docs/json`'],
      ['Node.js to run it', nodeRange.replaceAll(' || ', ' or '), '`engines` of `package.json`'],
    ],
  )
}
