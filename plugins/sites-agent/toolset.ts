import type { LoopResult, LoopTool } from '../agent/port.ts'
import { helpers, helpersOf } from './helpers.ts'
import { helperPrompt } from './prompts.ts'
import type { Scraper } from './scrape/website.ts'
import type { SiteParts, SiteRun } from './site-run.ts'
import type { Errand } from './team.ts'
import { askTool } from './tools/ask.ts'
import { bashTool } from './tools/bash.ts'
import { cloneTool } from './tools/clone.ts'
import { createTool } from './tools/create.ts'
import { delegateTool } from './tools/delegate.ts'
import { driveTool } from './tools/drive.ts'
import { fileTools } from './tools/files.ts'
import { integrateTool } from './tools/integrate.ts'
import { pageTools } from './tools/pages.ts'
import { scrapeTools, visualDiffTool } from './tools/scrape.ts'
import { siteTools } from './tools/sites.ts'
import type { Mode } from './schemas.ts'

const building = ['list_sites', 'create_site', 'bootstrap_pages', 'download_remote_image', 'download_remote_images', 'browse_gdrive_images', 'apply_theme', 'AskUserQuestion']

/** The tools of each mode. */
const namesOf: Readonly<Record<Mode, readonly string[]>> = {
  create: building,
  migrate: [...building, 'visual_qa_diff', 'discover_site_structure', 'scrape_url', 'generate_page_specs', 'extract_design_tokens'],
  integrate: [
    'list_sites', 'clone_repo', 'analyze_codebase', 'integrate_site', 'launch_site', 'register_site', 'bootstrap_pages', 'apply_theme', 'visual_qa_diff', 'AskUserQuestion',
    'Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash',
  ],
}

/** The tools of one run: those of its mode and no others. Its helpers have some of their own, and run by `start`. */
export function toolsOf(run: SiteRun, parts: SiteParts, scraper: Scraper, start: (errand: Errand) => Promise<LoopResult>): readonly LoopTool[] {
  const all = [
    ...siteTools(run, parts), cloneTool(run, parts), integrateTool(run, parts), createTool(run, parts), ...pageTools(run, parts), ...scrapeTools(run, parts, scraper),
    visualDiffTool(run, parts), askTool(run), ...fileTools(run, parts), bashTool(run, parts),
    ...(parts.drive ? [driveTool(run, parts, parts.drive)] : []),
  ]
  const named = (names: readonly string[]): readonly LoopTool[] => all.filter(({ name }) => names.includes(name))
  const ofMode = helpersOf[run.mode]
  const delegate = delegateTool(run, ofMode, (helper, message, signal) => {
    const { tools, maxTurns } = helpers[helper]
    return start({ helper, system: helperPrompt(helper), message, tools: named(tools), maxTurns, signal })
  })
  return [...named(namesOf[run.mode]), ...(ofMode.length > 0 ? [delegate] : [])]
}
