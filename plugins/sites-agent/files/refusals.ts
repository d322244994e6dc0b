import { defineRefusal } from '../../../kernel/index.ts'

/** Refusals of paths and sites in the workspace. */
export const fileRefusals = {
  outside: defineRefusal({
    status: 400,
    code: 'path_outside',
    reason: () =>
      'This path is outside the site, or leads through a link. Use a path relative to the folder of the site.',
  }),
  isProtected: defineRefusal({
    status: 400,
    code: 'path_protected',
    reason: () =>
      'Agents must not read or write files with this name: repositories, variables and keys. Ask the owner of the site.',
  }),
  notThere: defineRefusal({
    status: 404,
    code: 'not_found',
    reason: () => 'This path does not exist. List the folder first.',
  }),
  isFolder: defineRefusal({
    status: 400,
    code: 'is_folder',
    reason: () => 'This path is a folder. Name a file in it.',
  }),
  tooLarge: defineRefusal({
    status: 413,
    code: 'too_large',
    reason: (most: number) => `The file exceeds ${most} bytes. Read or change a smaller one.`,
  }),
  tooManyFiles: defineRefusal({
    status: 413,
    code: 'too_many_files',
    reason: (most: number) =>
      `The site has more than ${most} files. Move files that do not belong to it elsewhere.`,
  }),
  badSiteId: defineRefusal({
    status: 400,
    code: 'invalid_site_id',
    reason: (rule: string) => `This is not a valid site id: use ${rule}.`,
  }),
  noSite: defineRefusal({
    status: 404,
    code: 'site_not_found',
    reason: () => 'The workspace has no such site. list_sites lists the sites.',
  }),
  siteExists: defineRefusal({
    status: 409,
    code: 'site_exists',
    reason: (id: string) => `The workspace already has a folder '${id}'. Choose another site id.`,
  }),
  siteBusy: defineRefusal({
    status: 409,
    code: 'site_busy',
    reason: (id: string) =>
      `Another run is applying its changes to the site '${id}', so nothing was applied. Start the run again.`,
  }),
  copyChanged: defineRefusal({
    status: 409,
    code: 'copy_changed',
    reason: (path: string) =>
      `'${path}' has changed since it was shown, so nothing was applied. Show the changes again.`,
  }),
  siteChanged: defineRefusal({
    status: 409,
    code: 'site_changed',
    reason: (path: string) =>
      `'${path}' has changed in the site since it was copied, so nothing was applied. Start the run again.`,
  }),
} as const
