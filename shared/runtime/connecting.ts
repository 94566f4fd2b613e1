import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { SECOND } from './time.ts';

/**
 * Import this before connecting to others' hosts. Node gives each address of a name but the last 250 ms: too little for another
 * continent or a lost first packet. The last address may be IPv6, which Lambda cannot reach.
 */
setDefaultAutoSelectFamilyAttemptTimeout(2 * SECOND);
