import { returnFromPopup } from '@rxmcp/auth/browser';

returnFromPopup();
