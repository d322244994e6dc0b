import type { Mode, Phase } from './schemas.ts'

/** What a phase is called while it lasts, and after it. */
export const phaseLabels: Readonly<Record<Phase, { readonly activeLabel: string; readonly doneLabel: string }>> = {
  analyzing: { activeLabel: 'Analyzing', doneLabel: 'Analyzed' },
  creating: { activeLabel: 'Creating the site', doneLabel: 'Created the site' },
  'custom-blocks': { activeLabel: 'Writing blocks', doneLabel: 'Wrote blocks' },
  images: { activeLabel: 'Bringing images', doneLabel: 'Brought images' },
  pages: { activeLabel: 'Writing pages', doneLabel: 'Wrote pages' },
  cloning: { activeLabel: 'Cloning', doneLabel: 'Cloned' },
  installing: { activeLabel: 'Installing packages', doneLabel: 'Installed packages' },
  integrating: { activeLabel: 'Integrating', doneLabel: 'Integrated' },
  launching: { activeLabel: 'Starting the site', doneLabel: 'Started the site' },
  verifying: { activeLabel: 'Verifying', doneLabel: 'Verified' },
}

const building: readonly Phase[] = ['analyzing', 'creating', 'custom-blocks', 'images', 'pages']

/** The phases of a mode, in the order in which clients draw them. */
export const phasesOf: Readonly<Record<Mode, readonly Phase[]>> = {
  create: building,
  migrate: building,
  integrate: ['cloning', 'analyzing', 'installing', 'integrating', 'launching', 'pages', 'verifying'],
}

const byTool: Readonly<Record<string, Phase>> = {
  discover_site_structure: 'analyzing',
  scrape_url: 'analyzing',
  extract_design_tokens: 'analyzing',
  generate_page_specs: 'analyzing',
  analyze_codebase: 'analyzing',
  clone_repo: 'cloning',
  create_site: 'creating',
  download_remote_image: 'images',
  download_remote_images: 'images',
  browse_gdrive_images: 'images',
  bootstrap_pages: 'pages',
  integrate_site: 'integrating',
  register_site: 'integrating',
  launch_site: 'launching',
  visual_qa_diff: 'verifying',
}

/** The phase that a tool begins; `undefined` where it belongs to whichever one is under way. */
export const phaseOfTool = (name: string): Phase | undefined => (Object.hasOwn(byTool, name) ? byTool[name] : undefined)
