// The errors of a server's setting that whoever started it can mend.

import { UnknownScenarioError } from '../contract/choose-scenarios.ts';
import { FilesError } from '../contract/file-faults.ts';
import { UnknownReadingError } from '../contract/readings.ts';
import { UnknownInstantError } from '../control/clock.ts';
import { UsageError } from '../stores/errors.ts';

/** What the caller of a command can mend. */
export const usage = [UsageError, FilesError, UnknownReadingError, UnknownInstantError, UnknownScenarioError];
