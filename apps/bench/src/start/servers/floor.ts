import { serve } from '../../servers/floor-stdio.js';
import { toolEntries } from '../../tool-set.js';

serve(process.stdin, process.stdout, toolEntries(1));
