import type { Tool } from '../tool.ts'
import { blockTypeTools } from './block-types.ts'
import { changeTools } from './changes.ts'
import { chatTools } from './chat.ts'
import { checkTools } from './checks.ts'
import { operationTools } from './operations.ts'
import { outlineTools } from './outline.ts'
import { pageTools } from './pages.ts'
import { pictureTools } from './pictures.ts'
import { publishTools } from './publish.ts'
import { screenshotTool } from './screenshot.ts'
import { siteTools } from './sites.ts'

/** Every tool, those that hosts are shown by default first. */
export const tools: readonly Tool[] = [
  ...outlineTools, ...blockTypeTools, ...changeTools, ...checkTools, screenshotTool, ...publishTools,
  ...pageTools, ...operationTools, ...siteTools, ...pictureTools, ...chatTools,
]
